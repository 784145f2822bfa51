package cleanup

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// Edit returns the edit that leaves idle operators out, and has what read their outputs
// read their inputs instead.
func Edit(m *tflite.Model, subgraph int, idle []Idle) rewrite.Edit {
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
	e := rewrite.Edit{Subgraph: subgraph}
	for i := range s.Operators {
		if gone[i] {
			continue
		}
		op := &s.Operators[i]
		edited := rewrite.EditOperator{Kind: rewrite.EditKeep, Of: i}
		if slices.ContainsFunc(op.Inputs, func(t int) bool { _, ok := instead[t]; return ok }) {
			edited.Kind, edited.Outputs = rewrite.EditPiece, op.Outputs
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
