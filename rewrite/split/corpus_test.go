package split_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// Every run of every model of the corpus can be cut, and stages at random, and the
// longest, come out as files.
func TestCorpus(t *testing.T) {
	const large = 8 << 20
	r := rand.New(rand.NewPCG(1, 0))
	cut := 0
	for _, file := range corpus.Models(t) {
		m, err := tflite.Open(file.Path)
		if err != nil || len(m.Data) > large {
			continue
		}
		all := runs(m)
		if testing.Short() && len(all) > 20 {
			all = all[:20]
		}
		longest := split.Run{First: 0, Last: -1}
		for _, run := range all {
			stage := split.Stage{First: run.First, Last: run.Last, Rows: min(run.Height, 2), Columns: 1, Mode: split.Mode(r.IntN(2))}
			if _, err := split.Cut(m, stage, len(m.Subgraphs[0].Tensors)); err != nil {
				t.Fatalf("%s %+v: %v", file.Name, stage, err)
			}
			if run.Last-run.First > longest.Last-longest.First {
				longest = run
			}
		}
		if len(all) == 0 || testing.Short() {
			continue
		}
		for _, run := range []split.Run{longest, all[r.IntN(len(all))]} {
			s := split.Stage{First: run.First, Last: run.Last, Rows: min(run.Height, 3), Columns: min(run.Width, 2), Carry: r.IntN(2) == 1, Widen: r.IntN(2) == 1}
			checkFile(t, file.Name, m, s)
			s.Columns, s.Mode = 1, split.Keep
			checkFile(t, file.Name, m, s)
			cut += 2
		}
	}
	t.Logf("%d files in pieces", cut)
}

// checkFile makes a file of a stage in pieces. What it says is checked by package rewrite.
func checkFile(t *testing.T, name string, m *tflite.Model, s split.Stage) {
	t.Helper()
	f, err := split.Cut(m, s, len(m.Subgraphs[0].Tensors))
	if err != nil {
		t.Fatalf("%s %+v: %v", name, s, err)
	}
	_, err = edit.Apply(m, edit.Edit{Tensors: f.Tensors, Operators: whole(m, s, f)}, rewrite.Options{})
	if refused := new(rewrite.RefusedError); err != nil && !errors.As(err, &refused) {
		t.Errorf("%s %+v: %v", name, s, err)
	}
}
