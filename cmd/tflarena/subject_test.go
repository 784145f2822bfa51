package main

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// The memory of an unmodified model is the same number in every command, and rewrite reaches the
// figures that analyze promises for a plan.
func TestAsItIs(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.tflite")
	files := corpus.Accepted(t)
	if len(files) < 100 {
		t.Fatalf("only %d models", len(files))
	}
	for i, f := range files {
		if testing.Short() && i%4 != 0 {
			continue
		}
		for _, abi := range []string{"esp", "host64"} {
			if abi != "esp" && !*golden.Audit && (testing.Short() || i%4 != 0) {
				continue // the same code with other sizes
			}
			asItIsEverywhere(t, f, abi, out)
		}
	}
}

func asItIsEverywhere(t *testing.T, f corpus.File, abi, out string) {
	t.Helper()
	run := func(into any, args ...string) bool {
		t.Helper()
		got := execute(noTerminal(), nil, append(args, f.Path, "--abi", abi, "--json", "-q")...)
		err := readOnly([]byte(got.stdout), into)
		if errors.Is(err, errNoResult) {
			return false // said elsewhere why not
		}
		if err != nil {
			t.Fatalf("%v %s: %v", args, f.Name, err)
		}
		return true
	}
	var a results.Analysis
	var c results.Check
	var d results.Diff
	var r results.Rewrite
	var g results.Fit
	run(&a, "analyze")
	run(&c, "check")
	run(&d, "diff", f.Path)
	figures := map[string]rules.Figures{"check": c.Figures, "diff": d.A.Figures}
	if run(&r, "rewrite", "--allow-faults", "-o", out) {
		figures["rewrite"] = r.Before.Figures
		if r.After.Head != a.BestBytes || r.After.Used != a.WithPlan.Used || r.After.Required != a.WithPlan.Required {
			t.Errorf("%s: %s: rewrite makes %+v, analyze promises %d and %+v", f.Name, abi, r.After, a.BestBytes, a.WithPlan)
		}
	}
	if run(&g, "fit", "--allow-faults", "--head", "1TiB", "-o", out) {
		figures["fit"] = g.Before.Figures
	}
	var plan results.Plan
	var v results.Verification
	run(&plan, "plan", "--strategy", "tflm-greedy")
	run(&v, "verify")
	if online := headWithoutPlan(&a); plan.TotalBytes != online {
		t.Errorf("%s: %s: plan makes a head of %d bytes, the runtime one of %d", f.Name, abi, plan.TotalBytes, online)
	}
	if v.Head == nil && a.EmbeddedPlan != nil || v.Head != nil && *v.Head != a.Head {
		t.Errorf("%s: %s: verify says %v, analyze a head of %d bytes", f.Name, abi, v.Head, a.Head)
	}
	for command, got := range figures {
		if !reflect.DeepEqual(got, a.Figures) {
			t.Errorf("%s: %s: %s says %+v, analyze %+v", f.Name, abi, command, got, a.Figures)
		}
	}
}

// headWithoutPlan returns the head that the runtime's own planner makes.
func headWithoutPlan(a *results.Analysis) int64 {
	if a.EmbeddedPlan != nil {
		return a.EmbeddedPlan.OnlineBytes
	}
	return a.Head
}

// The next step of analyze is possible, and gains the promised memory.
func TestNext(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, data := range small() {
		if slices.Contains([]string{"hostile"}, name) {
			continue // its figures mean nothing
		}
		if err := os.WriteFile(name+" 1.tflite", data, 0o600); err != nil {
			t.Fatal(err)
		}
		var a results.Analysis
		if err := readOnly([]byte(execute(noTerminal(), nil, "analyze", name+" 1.tflite", "--json", "-q").stdout), &a); err != nil {
			t.Fatal(name, err)
		}
		if a.Next == "" && !a.Known() {
			continue // a user has to state what the kernels of the application request
		}
		if !strings.Contains(a.Next, "'"+name+" 1.tflite'") {
			t.Errorf("%s: next: %s", name, a.Next)
		}
		var args []string
		for _, word := range strings.Fields(strings.ReplaceAll(a.Next, name+" 1", name+"~1")) {
			args = append(args, strings.ReplaceAll(strings.Trim(word, "'"), "~", " "))
		}
		if got := execute(noTerminal(), nil, args[1:]...); got.code != exitOK && !a.PlanBroken {
			t.Errorf("%s: %s: exit code %d: %s", name, a.Next, got.code, got.stderr)
		}
	}
}

// The figure that analyze quotes for fit is one that fit reaches.
func TestNextTiled(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: tiling models takes seconds each")
	}
	out := filepath.Join(t.TempDir(), "out.tflite")
	tried := 0
	for _, f := range corpus.Accepted(t) {
		data, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 1<<20 {
			continue // larger ones take longer
		}
		var a results.Analysis
		if err := readOnly([]byte(execute(noTerminal(), nil, "analyze", f.Path, "--json", "-q").stdout), &a); err != nil {
			t.Fatal(f.Name, err)
		}
		args := strings.Fields(a.Next)
		if len(args) < 2 || args[1] != "fit" {
			continue
		}
		tried++
		args[len(args)-1] = out
		if got := execute(noTerminal(), nil, args[1:]...); got.code != exitOK {
			t.Errorf("%s: exit code %d: %s", a.Next, got.code, got.stderr)
		}
	}
	if tried < 5 {
		t.Errorf("%d models were cut, which are 5 at least", tried)
	}
}
