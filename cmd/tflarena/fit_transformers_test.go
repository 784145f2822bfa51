package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
)

// transformerFits are heads that built-in transformers are tiled to, in bytes.
var transformerFits = []struct {
	network string
	head    int64
}{
	{"vit-b16-int8", 875 << 10},
	{"vit-b16", 3500 << 10},
}

// TestFittedTransformers tiles built-in transformers with random weights: outputs are bit-identical in LiteRT, and in TensorFlow
// Lite Micro where it runs them.
func TestFittedTransformers(t *testing.T) {
	if !*golden.Audit {
		t.Skip("left out without -audit: the reference kernels take minutes")
	}
	runtimes := oracle.Start(t)
	for _, f := range transformerFits {
		dir := t.TempDir()
		model, tiled := networkFile(t, dir, f.network), filepath.Join(dir, "tiled.tflite")
		got := execute(noTerminal(), nil, "fit", "--allow-faults", model, "-o", tiled, "--head", fmt.Sprint(f.head), "--time-limit", "1h", "--json")
		var r results.Fit
		if err := readOnly([]byte(got.stdout), &r); err != nil || got.code != exitOK {
			t.Errorf("%s: exit %d: %s %v", f.network, got.code, got.stderr, err)
			continue
		}
		t.Logf("%s: a head of %d bytes, was %d", f.network, r.After.Head, r.Before.Head)
		request := requestOf(t, corpus.File{Name: f.network, Path: model})
		for _, runtime := range []string{"litert", "tflm"} {
			request.Model = model
			before := runWith(t, runtimes, request, runtime, "BUILTIN_REF")
			request.Model = tiled
			after := runWith(t, runtimes, request, runtime, "BUILTIN_REF")
			if (before.Error == "") != (after.Error == "") || !cmp.Equal(before.Outputs, after.Outputs) || runtime == "litert" && before.Error != "" {
				t.Errorf("%s: other outputs in %s: %q, before %q", f.network, runtime, after.Error, before.Error)
			}
			t.Logf("%s in %s: %v", f.network, runtime, verdictOf(before.Error))
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
}

// verdictOf returns "equal outputs", or the error with which a runtime refuses a model.
func verdictOf(message string) string {
	if message == "" {
		return "equal outputs"
	}
	return message
}
