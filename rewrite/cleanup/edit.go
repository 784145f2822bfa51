package cleanup

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/tflite"
)

// Edit returns the edit that removes idle operators: readers of their outputs read their inputs
// instead.
func Edit(m *tflite.Model, subgraph int, idle []Idle) edit.Edit {
	s := &m.Subgraphs[subgraph]
	gone, instead := map[int]bool{}, map[int]int{}
	for _, x := range idle {
		op := &s.Operators[x.Operator]
		gone[x.Operator] = true
		in := op.Inputs[0]
		if root, ok := instead[in]; ok { // the operators are in execution order
			in = root
		}
		instead[op.Outputs[0]] = in
	}
	e := edit.Edit{Subgraph: subgraph}
	for i := range s.Operators {
		if gone[i] {
			continue
		}
		op := &s.Operators[i]
		edited := edit.Operator{Kind: edit.Keep, Of: i}
		if slices.ContainsFunc(op.Inputs, func(t int) bool { _, ok := instead[t]; return ok }) {
			edited.Kind, edited.Outputs = edit.Piece, op.Outputs
			for _, t := range op.Inputs {
				if root, ok := instead[t]; ok {
					t = root
				}
				edited.Inputs = append(edited.Inputs, t)
			}
		}
		e.Operators = append(e.Operators, edited)
	}
	return e
}
