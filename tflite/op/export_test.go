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

// Turns reports whether an operator may have a larger output in s than in larger, where an input has a
// larger shape.
func Turns(m *tflite.Model, s, larger *tflite.Subgraph, o *tflite.Operator) (turns bool) {
	e := extremes{newNode(m, s, o), newNode(m, larger, o)}
	attempt(func() { turns = e.most.turns != nil && e.most.turns(e) })
	return turns
}
