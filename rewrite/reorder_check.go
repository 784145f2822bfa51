package rewrite

import (
	"fmt"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// checkReorder refuses orders that would change the model's results. It returns messages about
// overridden refusals.
//
// It deliberately shares no code with the planners of orders, so that it checks their result
// independently.
func checkReorder(m *tflite.Model, orders [][]int, o Options) (forced []string, err error) {
	for s, order := range orders {
		if order == nil {
			continue
		}
		if err := checkTouches(m, s, order, o.Mend); err != nil {
			return nil, err
		}
	}
	return patch.Force(o.Force, checkEffects(m, orders), patch.CheckPlaceMetadata(m), CheckForeignPlan(m))
}

// touched holds, for a tensor, the largest file index of the operators so far in the new order
// that write it, and of those that read it.
type touched struct{ write, read int }

// checkTouches refuses an order that swaps two operators that access the same tensor, unless
// both only read it. So every operator reads what it read before.
//
// With mend, an operator may move after the only producer of its input.
func checkTouches(m *tflite.Model, s int, order []int, mend bool) error {
	sub := &m.Subgraphs[s]
	tensors := make([]touched, len(sub.Tensors))
	for i := range tensors {
		tensors[i] = touched{-1, -1}
	}
	for _, old := range order {
		op := &sub.Operators[old]
		var refused error
		patch.Touches(sub, op, func(t int, writes bool) {
			seen := &tensors[t]
			later := seen.write
			if writes {
				later = max(later, seen.read)
			}
			mended := mend && !writes && later == sub.Tensors[t].Producer && !sub.Tensors[t].Input && madeOnce(sub, t)
			if later > old && refused == nil && !mended {
				refused = swapped(m, s, op, &sub.Operators[later], t)
			}
			if writes {
				seen.write = max(seen.write, old)
			} else {
				seen.read = max(seen.read, old)
			}
		})
		if refused != nil {
			return refused
		}
	}
	return nil
}

// madeOnce reports whether exactly one operator writes a tensor.
func madeOnce(s *tflite.Subgraph, t int) bool {
	n := 0
	for i := range s.Operators {
		patch.Touches(s, &s.Operators[i], func(tensor int, writes bool) {
			if tensor == t && writes {
				n++
			}
		})
	}
	return n == 1
}

// swapped returns the error for two swapped operators: first comes first in the file, and later
// in the new order.
func swapped(m *tflite.Model, s int, first, later *tflite.Operator, t int) error {
	sub := &m.Subgraphs[s]
	verb := func(op *tflite.Operator) string {
		verb := "reads"
		patch.Touches(sub, op, func(tensor int, writes bool) {
			if tensor == t && writes {
				verb = "writes"
			}
		})
		return verb
	}
	return &RefusedError{Reason: fmt.Sprintf("operator %s would run before operator %s: tensor %s %q, which the first %s, the second %s",
		patch.OperatorID(s, later), patch.OperatorID(s, first), m.TensorID(s, t), sub.Tensors[t].Name, verb(later), verb(first))}
}

// checkEffects refuses orders that swap operators with an effect on the same state.
func checkEffects(m *tflite.Model, orders [][]int) error {
	states := patch.StatesOf(m)
	for s, order := range orders {
		if order == nil {
			continue
		}
		if err := states.CheckOrder(s, order); err != nil {
			return err
		}
	}
	return nil
}
