package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/shell"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/rewrite"
)

// repaired are models with a fault on a kernel library, and the rule that avoids it.
var repaired = []struct{ name, kernels, rule string }{
	{"kernels/faults/a_esp_conv_nobias", "esp-nn-s3", "zero-bias"},
	{"kernels/faults/a_cmsis_tconv_act", "cmsis-nn-mve", "separate-activation"},
	{"kernels/faults/a_tflm_ss_short", "reference", "plain-slice"},
	{"found/second/external_weights", "reference", "inline-weights"},
	{"found/second/dw_bias_minus1.i16", "reference", "zero-bias"},
	{"found/second/espnn_grouped_conv.int8", "esp-nn-s3", "separate-groups"},
	{"found/second/cmsis_transpose5.int8", "cmsis-nn-scalar", "merge-transpose"},
	{"models/nets/face_detection_front_fp16", "reference", "float32-constants"},
}

// TestRepair: check names the command that repairs a model, and that command writes a model that passes the same
// check. An allowed fault needs no repair.
func TestRepair(t *testing.T) {
	shared := corpus.Dir(t)
	for _, r := range repaired {
		file := filepath.Join(shared, filepath.FromSlash(r.name)+".tflite")
		checked := execute(noTerminal(), nil, "check", file, "--kernels", r.kernels)
		if checked.code != exitCheck || !strings.Contains(checked.stdout, "--repair -o "+filepath.Base(r.name)+"-repaired.tflite") {
			t.Errorf("check %s: exit code %d\n%s", r.name, checked.code, checked.stdout)
		}
		out := filepath.Join(t.TempDir(), "out.tflite")
		got := execute(noTerminal(), nil, "rewrite", file, "--kernels", r.kernels, "--repair", "-o", out)
		if got.code != exitOK || !strings.Contains(got.stdout, "repaired for") || !strings.Contains(got.stdout, r.rule) {
			t.Errorf("rewrite %s --repair: exit code %d\n%s%s", r.name, got.code, got.stdout, got.stderr)
		}
		if again := execute(noTerminal(), nil, "check", out, "--kernels", r.kernels); again.code != exitOK {
			t.Errorf("check of the repaired %s: exit code %d\n%s", r.name, again.code, again.stdout)
		}
		if verified := execute(noTerminal(), nil, "verify", out, "--kernels", r.kernels); verified.code != exitOK {
			t.Errorf("verify of the repaired %s: exit code %d\n%s", r.name, verified.code, verified.stdout)
		}
	}
}

// TestRepairNext: of models that fail a check by a fault, the next step of check, analyze and report is the repair
// exactly where rewrite repairs the model. The table of a folder and a refusal propose it for the same models.
func TestRepairNext(t *testing.T) {
	shared := corpus.Dir(t)
	var files []string
	for _, dir := range []string{"kernels/faults", "found/second"} {
		list, err := filepath.Glob(filepath.Join(shared, filepath.FromSlash(dir), "*.tflite"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, list...)
	}
	var repaired, others []string
	t.Chdir(t.TempDir())
	for i, file := range files {
		on := []string{"--kernels", []string{"reference", "esp-nn-s3", "cmsis-nn-mve"}[i%3]}
		checked := execute(noTerminal(), nil, append([]string{"check", file}, on...)...)
		if !strings.HasPrefix(checked.stdout, string(results.DoesNotRun)) && !strings.HasPrefix(checked.stdout, string(results.WrongResults)) {
			continue
		}
		rewritten := execute(noTerminal(), nil, append([]string{"rewrite", file, "--repair", "-o", "out.tflite"}, on...)...)
		repairs := rewritten.code == exitOK
		if repairs {
			repaired = append(repaired, file)
		} else {
			others = append(others, file)
		}
		commands := [][]string{{"check"}}
		if i%5 == 0 {
			commands = append(commands, []string{"analyze"}, []string{"report", "-o", "out.html"})
		}
		for _, words := range commands {
			got := execute(noTerminal(), nil, append(append(words, file), on...)...)
			if strings.Contains(got.stdout, shell.Repaired(file, on...)) != repairs {
				t.Errorf("%v: rewrite --repair has exit code %d (%s), and %s prints\n%s%s", on, rewritten.code, rewritten.stderr, words[0], got.stdout, got.stderr)
			}
		}
		if got := execute(noTerminal(), nil, append([]string{"fit", file, "--least", "-o", "fitted.tflite"}, on...)...); got.code != exitCheck || strings.Contains(got.stderr, "--repair") != repairs {
			t.Errorf("%v: rewrite --repair has exit code %d, and fit %d with\n%s", on, rewritten.code, got.code, got.stderr)
		}
	}
	if len(repaired) == 0 || len(others) == 0 {
		t.Fatalf("%d models are repaired, %d are not", len(repaired), len(others))
	}
	folder := []string{"analyze", "--kernels", "reference", "--wide"}
	for i, file := range files {
		if i%3 == 0 && (slices.Contains(repaired, file) || slices.Contains(others, file)) {
			folder = append(folder, file)
		}
	}
	lines := 0
	for _, line := range strings.Split(execute(noTerminal(), nil, folder...).stdout, "\n") {
		i := slices.IndexFunc(folder, func(file string) bool { return strings.HasSuffix(file, strings.Fields(line + " -")[0]) })
		if i >= 0 {
			lines++
		}
		if i >= 0 && strings.Contains(line, "rewrite --repair") != slices.Contains(repaired, folder[i]) {
			t.Errorf("the line of the folder: %s", line)
		}
	}
	if lines != len(folder)-4 {
		t.Errorf("%d lines of %d models", lines, len(folder)-4)
	}
}

// TestNotRepaired: what no rule repairs is listed with the operator, and nothing is written.
func TestNotRepaired(t *testing.T) {
	file := filepath.Join(corpus.Dir(t), "kernels", "faults", "a_tflm_mixed.tflite")
	out := filepath.Join(t.TempDir(), "out.tflite")
	got := execute(noTerminal(), nil, "rewrite", file, "--repair", "-o", out)
	if got.code != exitCheck || !strings.Contains(got.stderr, "operator 0:0 ADD") {
		t.Errorf("exit code %d: %s", got.code, got.stderr)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a model was written")
	}
	if got := execute(noTerminal(), nil, "rewrite", file, "--repair", "--allow-faults", "-o", out); got.code != exitOK {
		t.Errorf("--allow-faults: exit code %d: %s", got.code, got.stderr)
	}
}

// TestForeignPlanStays: another tool's plan stays, and so do the operators that it may be for; --force replaces it.
func TestForeignPlanStays(t *testing.T) {
	file := corpus.Model(t, "person_detect_vela.tflite").Path
	for _, flags := range [][]string{{"--slim"}, {"--substitute", "exact"}, {"--repair"}, {"--slim", "--substitute", "exact"}} {
		out := filepath.Join(t.TempDir(), "out.tflite")
		got := execute(noTerminal(), nil, append([]string{"rewrite", file, "-o", out, "--json"}, flags...)...)
		if got.code != exitOK || !strings.Contains(got.stdout, `"action": "kept"`) || !strings.Contains(got.stdout, `"required_bytes": 74944`) {
			t.Errorf("%v: exit code %d\n%s%s", flags, got.code, got.stdout, got.stderr)
		}
	}
}

// TestRuleFlags: flags that contradict one another are errors that say what to do.
func TestRuleFlags(t *testing.T) {
	for _, args := range [][]string{
		{"--toposort", "--substitute", "exact"}, {"--toposort", "--repair"}, {"--remove", "--slim"}, {"--substitute", ""}, {"--ndebug"},
	} {
		got := execute(noTerminal(), nil, append([]string{"rewrite", "builtin:blazeface", "-o", filepath.Join(t.TempDir(), "x.tflite")}, args...)...)
		if got.code != exitUsage || !strings.Contains(got.stderr, "--") {
			t.Errorf("%v: exit code %d: %s", args, got.code, got.stderr)
		}
	}
}

// TestForeignPlanNext: where only another tool's plan keeps a budget from being met, the next command replaces that plan
// and meets the budget.
func TestForeignPlanNext(t *testing.T) {
	t.Chdir(t.TempDir())
	succeed := func(args ...string) outcome {
		got := execute(noTerminal(), nil, args...)
		if got.code != exitOK {
			t.Fatalf("%v: exit code %d: %s%s", args, got.code, got.stdout, got.stderr)
		}
		return got
	}
	write(t, "plain.tflite", network.Convolutions(3, 8))
	succeed("rewrite", "plain.tflite", "--pin", "all", "-o", "planned.tflite")
	var fitted results.Fit
	if err := readOnly([]byte(succeed("fit", "plain.tflite", "--least", "-o", "fitted.tflite", "--json").stdout), &fitted); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("planned.tflite")
	if err != nil {
		t.Fatal(err)
	}
	plans, err := rewrite.ReadPlans(modelfile.Parse(t, data))
	if err != nil || len(plans) != 1 {
		t.Fatal(len(plans), err)
	}
	data[plans[0].At]++ // another version of the header
	write(t, "foreign.tflite", data)
	missed := execute(noTerminal(), nil, "fit", "foreign.tflite", "--arena", fmt.Sprint(fitted.After.Required), "-o", "out.tflite")
	next := nextLine.FindStringSubmatch(missed.stdout)
	if missed.code != exitCheck || next == nil {
		t.Fatalf("exit code %d\n%s%s", missed.code, missed.stdout, missed.stderr)
	}
	succeed(strings.Fields(next[1])[1:]...)
}
