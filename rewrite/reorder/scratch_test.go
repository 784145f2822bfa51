package reorder

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// Scratch goes with its operators: what is asked for in a new order is what the kernels of the
// new file ask for.
func TestScratchMoves(t *testing.T) {
	moved := 0
	for _, f := range corpus.Accepted(t) {
		m, err := tflite.Open(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		own := rules.DefaultDevice().Requests(m)
		if len(own) == 0 || len(m.Subgraphs) != 1 {
			continue
		}
		for seed := range uint64(3) {
			orders := [][]int{network.Order(m, rand.New(rand.NewPCG(seed, 0)))}
			r, err := rewrite.Reorder(m, orders, rewrite.Options{Force: true})
			if err != nil {
				continue // state, or effects
			}
			out, err := tflite.Parse(r.Data, m.Name)
			if err != nil {
				t.Fatal(err)
			}
			want := rules.DefaultDevice().Requests(out)
			if diff := cmp.Diff(want, rules.MovedScratch(own, orders)); diff != "" {
				t.Errorf("%s (-new file +moved):\n%s", f.Name, diff)
			}
			if !cmp.Equal(own, want) {
				moved++
			}
		}
	}
	if moved < 10 {
		t.Errorf("scratch moved in %d files, too few to say anything", moved)
	}
}
