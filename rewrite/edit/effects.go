package edit

import (
	"fmt"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// checkEditedEffects refuses an edit in which operators with effects go, double or change
// places.
func checkEditedEffects(m *tflite.Model, e *Edit) error {
	sub := &m.Subgraphs[e.Subgraph]
	next := 0
	skip := func(to int) error {
		for ; next < to; next++ {
			if hasEffects(m, &sub.Operators[next]) {
				return effects(e, &sub.Operators[next])
			}
		}
		return nil
	}
	for i := range e.Operators {
		op := &e.Operators[i]
		old := op.Kind == Keep || op.Kind == Piece || op.Kind == Valid
		if !old || !hasEffects(m, &sub.Operators[op.Of]) {
			continue
		}
		if op.Kind != Keep || next > op.Of {
			return effects(e, &sub.Operators[op.Of])
		}
		if err := skip(op.Of); err != nil {
			return err
		}
		next = op.Of + 1
	}
	return skip(len(sub.Operators))
}

// hasEffects reports whether an operator keeps its order among all that do.
func hasEffects(m *tflite.Model, o *tflite.Operator) bool { return op.HasEffects(m, o) }

func effects(e *Edit, op *tflite.Operator) error {
	return &patch.RefusedError{Reason: fmt.Sprintf(
		"operator %s may have effects beyond its outputs, and would not run once and in its place among those that do",
		patch.OperatorID(e.Subgraph, op)), Force: true}
}
