package main

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
)

// Reads of one variable move across assignments of others: heads and required arenas are the
// smallest of all orders, and the outputs are the same in both real runtimes from run to run.
func TestOrdersOfVariables(t *testing.T) {
	oracle.Require(t)
	shared := corpus.Dir(t)
	rows := []struct {
		model, kernels string
		head, required int64
	}{
		{"found/second/reads_early.tflite", "reference", 768, 3824},
		{"found/second/reads_late.tflite", "reference", 768, 3824},
		{"models/micro/okay_nabu_v2.tflite", "esp-nn-s3@1.2.3", 16_080, 30_544},
		{"wakewords/hey_jarvis.tflite", "cmsis-nn-mve", 11_744, 24_032},
		{"models/corner/resource_vars_calibrated.bin", "reference", 256, 1920},
	}
	oracle.Each(t, len(rows), func(t *testing.T, runtimes *oracle.Runtimes, i int) {
		row, out := rows[i], filepath.Join(t.TempDir(), "out.tflite")
		f := corpus.File{Name: row.model, Path: filepath.Join(shared, filepath.FromSlash(row.model))}
		got := execute(noTerminal(), nil, "rewrite", "--reorder", "--kernels", row.kernels, "--json", "-o", out, f.Path)
		var r results.Rewrite
		if err := readOnly([]byte(got.stdout), &r); err != nil || got.code != exitOK {
			t.Fatalf("%s: exit %d: %s %v", row.model, got.code, got.stderr, err)
		}
		if r.After.Head != row.head || r.After.Required != row.required || r.Order == nil || !r.Order.Proven {
			t.Errorf("%s: head %d, required %d, order %+v; want %d and %d, proven", row.model, r.After.Head, r.After.Required, r.Order, row.head, row.required)
		}
		before := requestOf(t, f)
		before.Invokes = 6
		after := before
		after.Model = out
		for _, runtime := range []string{"tflm", "litert"} {
			want, got := runIn(t, runtimes, before, runtime), runIn(t, runtimes, after, runtime)
			if want.Error != "" || len(want.Outputs) == 0 || got.Error != "" || !cmp.Equal(want.Outputs, got.Outputs) {
				t.Errorf("%s in %s: other outputs, %d and %d of them: %q, before %q", row.model, runtime, len(got.Outputs), len(want.Outputs), got.Error, want.Error)
			}
		}
	})
}
