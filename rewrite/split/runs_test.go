package split_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// Runs are exactly the pairs of operators between which a stage can be cut, and that one
// tensor alone leads into.
func TestRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, _ := randomNetwork(t)
		sub := &m.Subgraphs[0]
		var want []split.Run
		for first := range sub.Operators {
			for last := first; last < len(sub.Operators); last++ {
				_, err := split.Cut(m, split.Stage{First: first, Last: last, Rows: 1, Columns: 1}, len(sub.Tensors))
				in := comingIn(sub, first, last)
				if err != nil || len(in) != 1 {
					continue
				}
				out := &sub.Tensors[sub.Operators[last].Outputs[0]]
				want = append(want, split.Run{
					First: first, Last: last, In: in[0], Out: out.Index,
					Height: int(out.Shape[1]), Width: int(out.Shape[2]),
				})
			}
		}
		if diff := cmp.Diff(want, runs(m)); diff != "" {
			t.Fatal(diff)
		}
		for i, err := range split.Cuttable(m) {
			_, alone := split.Cut(m, split.Stage{First: i, Last: i, Rows: 1, Columns: 1}, len(sub.Tensors))
			if err != nil && alone == nil {
				t.Fatalf("operator %d: %v", i, err)
			}
		}
	})
}

// comingIn returns the tensors that are not constant and made before a run.
func comingIn(sub *tflite.Subgraph, first, last int) []int {
	var in []int
	for i := first; i <= last; i++ {
		for _, t := range sub.Operators[i].Inputs {
			inside := t >= 0 && sub.Tensors[t].Producer >= first && sub.Tensors[t].Producer <= last
			if t >= 0 && !sub.Tensors[t].Constant && !inside && !slices.Contains(in, t) {
				in = append(in, t)
			}
		}
	}
	return in
}

func runs(m *tflite.Model) (list []split.Run) {
	for r := range split.Runs(m) {
		list = append(list, r)
	}
	return list
}
