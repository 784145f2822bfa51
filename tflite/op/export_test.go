package op

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// KnownNumbers returns the values that [WithShapes] knows of tensors of the first subgraph, by
// index.
func KnownNumbers(m *tflite.Model, inputs map[string][]int32) (map[int][]int64, error) {
	c := *m
	c.Subgraphs = slices.Clone(m.Subgraphs)
	r := newReshaper(&c)
	s := r.enter(0)
	for name, shape := range inputs {
		if err := setInput(&c, s, name, shape, r.changed[0]); err != nil {
			return nil, err
		}
	}
	return r.known[0], r.run(s)
}
