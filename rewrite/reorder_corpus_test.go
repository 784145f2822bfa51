package rewrite

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// Every model of the corpus takes the order that differs most from its own and one at
// random, if it has any: nothing but the elements of the vectors of operators changes,
// and the old order gives the old file back. No model has to be refused anything.
func TestCorpusReorder(t *testing.T) {
	models := 0
	for _, file := range corpus.Models(t) {
		t.Run(file.Name, func(t *testing.T) {
			m := sample.OpenFile(t, file.Path)
			if m == nil {
				return
			}
			r, err := Reorder(m, make([][]int, len(m.Subgraphs)), Options{})
			if err != nil || r.Method != Unchanged || !bytes.Equal(r.Data, m.Data) {
				t.Fatalf("no new order: %+v, %v", r, err)
			}
			if reorderCorpus(t, m, lateFirst) {
				models++
				reorderCorpus(t, m, atRandom(rand.New(rand.NewPCG(0, 0))))
			}
		})
	}
	if models < 40 {
		t.Errorf("%d models were reordered", models)
	}
}

// reorderCorpus reports whether a model has another order of a kind, which is tried.
func reorderCorpus(t *testing.T, m *tflite.Model, choose func([]int) int) bool {
	t.Helper()
	orders, moved := validOrders(m, choose)
	if moved == 0 {
		return false
	}
	base := m
	if len(patch.PlanEntries(m)) > 0 {
		base = modelfile.Parse(t, remove(t, m).Data)
	}
	r, out := reorder(t, base, orders...)
	// Content takes long in large graphs.
	if moved < 200 && !testing.Short() {
		checkReordered(t, base, orders, r)
	}
	checkReorderedBytes(t, base, r)
	sample.CheckZip(t, base.Data, r.Data)
	if back, _ := reorder(t, out, inverse(orders)...); !bytes.Equal(back.Data, base.Data) {
		t.Fatal("reordering back does not give the old file")
	}
	return true
}
