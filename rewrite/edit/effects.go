package edit

import (
	"fmt"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// checkEditedEffects refuses an edit that drops or duplicates an operator with effects, or
// reorders two that affect the same state.
func checkEditedEffects(m *tflite.Model, e *Edit) error {
	sub := &m.Subgraphs[e.Subgraph]
	kept := make([]bool, len(sub.Operators))
	var order []int
	for i := range e.Operators {
		op := &e.Operators[i]
		if !op.Kind.ofFile() || !hasEffects(m, &sub.Operators[op.Of]) {
			continue
		}
		if op.Kind != Keep || kept[op.Of] {
			return effects(e, &sub.Operators[op.Of])
		}
		kept[op.Of] = true
		order = append(order, op.Of)
	}
	for i := range sub.Operators {
		if !kept[i] && hasEffects(m, &sub.Operators[i]) {
			return effects(e, &sub.Operators[i])
		}
	}
	if len(order) == 0 {
		return nil
	}
	return patch.StatesOf(m).CheckOrder(e.Subgraph, order)
}

// hasEffects reports whether an operator must run exactly once.
func hasEffects(m *tflite.Model, o *tflite.Operator) bool { return op.HasEffects(m, o) }

func effects(e *Edit, op *tflite.Operator) error {
	return &patch.RefusedError{Reason: fmt.Sprintf(
		"operator %s may have effects beyond its outputs, and would not run exactly once",
		patch.OperatorID(e.Subgraph, op)), Force: true}
}
