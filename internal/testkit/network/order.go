package network

import (
	"math/rand/v2"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// Order returns a random valid order of the operators of a model's first subgraph, in which each tensor
// is written before it is read: element i is the index of the operator that runs i-th.
func Order(m *tflite.Model, r *rand.Rand) (order []int) {
	s := &m.Subgraphs[0]
	made := make([]bool, len(s.Tensors))
	for t := range s.Tensors {
		made[t] = s.Tensors[t].Producer < 0
	}
	for len(order) < len(s.Operators) {
		var ready []int
		for i := range s.Operators {
			waits := slices.ContainsFunc(s.Operators[i].Inputs, func(t int) bool { return t >= 0 && !made[t] })
			if !waits && !slices.Contains(order, i) {
				ready = append(ready, i)
			}
		}
		next := ready[r.IntN(len(ready))]
		for _, t := range s.Operators[next].Outputs {
			made[t] = true
		}
		order = append(order, next)
	}
	return order
}
