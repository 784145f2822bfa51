package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// A faulty model of the shared test data, and what each command owes it.
type faultyModel struct {
	name, kernels, kind, says string
}

// faultyModels are models that were passed although they do not run or compute wrong results.
var faultyModels = []faultyModel{
	{"found/second/external_weights", "reference", "does-not-run", "1 constant outside the flatbuffer"},
	{"found/second/slice_begin_of_1", "reference", "does-not-run", "SLICE: has a begin with fewer elements (1)"},
	{"found/second/uncalled_subgraph_scratch.f32", "reference", "does-not-run", "a subgraph that no operator calls"},
	{"found/second/dw_bias_minus1.i16", "reference", "does-not-run", "gives its bias as input -1"},
	{"found/second/cmsis_fc_perchannel.i16", "cmsis-nn-mve", "does-not-run", "refuses INT16 with 4 scales"},
	{"found/second/cmsis_fc_perchannel.i16", "cmsis-nn-dsp-size", "does-not-run", "refuses INT16 with 4 scales"},
	{"found/second/add_mixed_types", "reference", "wrong-results", "ADD: mixes INT8 (input 0) and FLOAT32 (output 0)"},
	{"found/second/slice_runtime_size.f32", "reference", "wrong-results", "SLICE: computes its size at run time"},
	{"found/second/gru_while.f32", "reference", "wrong-results", "SLICE: computes its "},
	{"found/second/grureset.f32", "esp-nn-p4", "wrong-results", "SLICE: computes its "},
	{"models/corner/dtln_model_1", "reference", "wrong-results", "SLICE: computes its "},
	{"found/second/espnn_grouped_conv.int8", "esp-nn-s3", "wrong-results", "computes its 4 groups as one"},
	{"found/second/espnn_grouped_conv.int8", "esp-nn-generic", "wrong-results", "computes its 4 groups as one"},
	{"found/second/cmsis_transpose5.int8", "cmsis-nn-scalar", "wrong-results", "output of 5 dimensions unwritten"},
	{"found/second/cmsis_tconv_batch2_valid.int8", "cmsis-nn-scalar", "wrong-results", "writes 8 rows of an output of 7"},
}

// warnedModels have a fault that is a warning, as their look-alikes have not.
var warnedModels = []struct{ name, kernels, says string }{
	{"found/second/s2b_padded.int8", "reference", "depends on old memory: operator 0:0 SPACE_TO_BATCH_ND"},
	{"found/second/esp31_conv5", "esp-nn-s3@1.2.3", "esp-nn#31"},
	{"found/second/esp31_conv5", "esp-nn-s3@1.2.3", " and earlier, espressif/esp-nn#31"},
	{"found/second/esp31_conv5", "esp-nn-s3@1.1.0", "esp-nn#31"},
	{"found/second/esp31_conv5", "esp-nn-generic", ""},
	{"found/second/esp34_rows", "esp-nn-s3@1.2.3", "esp-nn#34"},
	{"found/second/esp34_rows", "esp-nn-s3@1.2.3", "ESP-NN 1.2.3 to 1.2.5, fixed in 1.2.6"},
	{"found/second/esp34_rows", "esp-nn-s3@1.2.2", ""},
	{"found/second/esp34_rows", "esp-nn-s3@1.1.0", ""},
	{"found/second/esp34_rows", "esp-nn-p4", ""},
	{"found/second/esp34_fc2", "esp-nn-s3", ""},
	{"found/second/espnn_grouped_conv.int8", "cmsis-nn-mve", ""},
	{"found/second/inline_weights_twin", "reference", ""},
}

// faults are those of the first model of a JSON document, wherever they are in it.
func faultsOf(t *testing.T, text string) (faults []map[string]any) {
	t.Helper()
	var document struct {
		Models []struct {
			Faults []map[string]any `json:"faults"`
		} `json:"models"`
	}
	if err := json.Unmarshal([]byte(text), &document); err != nil || len(document.Models) != 1 {
		t.Fatalf("%v: %s", err, text)
	}
	return document.Models[0].Faults
}

// TestFaultyModels: no command promises anything about a model that does not run or computes wrong results.
func TestFaultyModels(t *testing.T) {
	dir := t.TempDir()
	for _, f := range faultyModels {
		path := filepath.Join(corpus.Dir(t), filepath.FromSlash(f.name)+".tflite")
		out := filepath.Join(dir, "out.tflite")
		run := func(words ...string) outcome {
			return execute(noTerminal(), nil, append(words, path, "--kernels", f.kernels)...)
		}
		label := f.name + " with " + f.kernels
		for _, words := range [][]string{{"check"}, {"check", "--max-arena", "1G"}, {"rewrite", "-o", out}, {"fit", "-o", out, "--least"}, {"fit"}} {
			got := run(words...)
			if got.code != exitCheck || !strings.Contains(strings.Join(strings.Fields(got.stdout+got.stderr), " "), f.says) {
				t.Errorf("%s: %s: exit code %d: %s%s", label, words[0], got.code, got.stdout, got.stderr)
			}
			if _, err := os.Stat(out); err == nil {
				t.Errorf("%s: %s wrote a model", label, words[0])
				os.Remove(out)
			}
			faults := faultsOf(t, run(append(words, "--json")...).stdout)
			if len(faults) == 0 || faults[0]["kind"] != f.kind || faults[0]["fails"] != true || faults[0]["library"] == "" || faults[0]["versions"] == "" || faults[0]["source"] == "" {
				t.Errorf("%s: %s --json: %v", label, words[0], faults)
			}
		}
		if got := run("check", "--allow-faults"); (got.code == exitOK) != (f.kind == "wrong-results") {
			t.Errorf("%s: check --allow-faults: exit code %d: %s", label, got.code, got.stdout)
		}
		labels := map[string]string{"does-not-run": "does not run:", "wrong-results": "wrong results:"}
		for _, words := range [][]string{{"analyze"}, {"report", "-o", filepath.Join(dir, "page.html")}} {
			if got := run(words...); got.code != exitOK || !strings.HasPrefix(got.stdout, strings.ToUpper(labels[f.kind])) {
				t.Errorf("%s: %s: exit code %d: %s", label, words[0], got.code, got.stdout)
			}
		}
		if got := run("verify"); got.code != exitOK || !strings.Contains(got.stderr, ".tflite: "+labels[f.kind]) {
			t.Errorf("%s: verify: exit code %d: %s", label, got.code, got.stderr)
		}
		got := run("rewrite", "--allow-faults", "-o", out, "--json", "--alias", "diagonal")
		if got.code != exitOK {
			t.Errorf("%s: rewrite --allow-faults: exit code %d: %s", label, got.code, got.stderr)
		}
		if names := strings.Contains(got.stdout, `"left_untouched": []`); names != (f.kind == "does-not-run") {
			t.Errorf("%s: left_untouched: %s", label, got.stdout)
		}
		os.Remove(out)
	}
}

// TestWarnedModels: a fault that no run of the kernels showed is a warning of check and of rewrite.
func TestWarnedModels(t *testing.T) {
	for _, w := range warnedModels {
		path := filepath.Join(corpus.Dir(t), filepath.FromSlash(w.name)+".tflite")
		for _, words := range [][]string{{"check", "--max-arena", "1G"}, {"rewrite", "-o", filepath.Join(t.TempDir(), "out.tflite")}} {
			got := execute(noTerminal(), nil, append(words, path, "--kernels", w.kernels)...)
			warned := strings.Contains(got.stderr, "warning:")
			if got.code != exitOK || warned != (w.says != "") || !strings.Contains(got.stderr, w.says) {
				t.Errorf("%s with %s: %s: exit code %d: %s", w.name, w.kernels, words[0], got.code, got.stderr)
			}
		}
	}
}

// TestVerifyWarnsForTheMarker: the faults that verify warns of are those of the kernels that a plan is for.
func TestVerifyWarnsForTheMarker(t *testing.T) {
	path := filepath.Join(corpus.Dir(t), "found", "second", "cmsis_transpose5.int8.tflite")
	m, err := tflite.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	offsets := make([]int32, len(m.Subgraphs[0].Tensors))
	for i := range offsets {
		offsets[i] = -1
	}
	for kernels, want := range map[string]bool{"reference": false, "cmsis-nn-scalar@99f736a": true} {
		marked, err := rewrite.Embed(m, offsets, rewrite.Options{Marker: rewrite.OverlapMarker("diagonal", kernels)})
		if err != nil {
			t.Fatal(err)
		}
		if got := execute(noTerminal(), marked.Data, "verify", "-"); got.code != exitOK || strings.Contains(got.stderr, "wrong results:") != want {
			t.Errorf("a plan for %s: exit code %d: %s", kernels, got.code, got.stderr)
		}
	}
}
