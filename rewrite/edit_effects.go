package rewrite

import (
	"fmt"

	"github.com/tflarena/tflarena/tflite"
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
		old := op.Kind == EditKeep || op.Kind == EditPiece || op.Kind == EditValid
		if !old || !hasEffects(m, &sub.Operators[op.Of]) {
			continue
		}
		if op.Kind != EditKeep || next > op.Of {
			return effects(e, &sub.Operators[op.Of])
		}
		if err := skip(op.Of); err != nil {
			return err
		}
		next = op.Of + 1
	}
	return skip(len(sub.Operators))
}

func effects(e *Edit, op *tflite.Operator) error {
	return &RefusedError{fmt.Sprintf(
		"operator %s may have effects beyond its outputs, and would not run once and in its place among those that do",
		operatorID(e.Subgraph, op)), true}
}
