package rewrite

import (
	"fmt"

	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// checkReorder refuses orders under which the model would compute something else. It
// returns what was forced.
//
// It is on purpose not the code that plans orders: what a planner believes is checked
// here once more.
func checkReorder(m *tflite.Model, orders [][]int, o Options) (forced []string, err error) {
	for s, order := range orders {
		if order == nil {
			continue
		}
		if err := checkTouches(m, s, order, o.Mend); err != nil {
			return nil, err
		}
	}
	for _, problem := range []error{checkEffects(m, orders), checkPlaceMetadata(m), checkForeignPlan(m)} {
		switch {
		case problem == nil:
		case !o.Force:
			return nil, problem
		default:
			forced = append(forced, "forced, though "+problem.Error())
		}
	}
	return forced, nil
}

// A touched tensor knows which operators touched it so far in the new order: the
// largest index in the file of those that write it, and of those that read it.
type touched struct{ write, read int }

// checkTouches refuses an order in which two operators that touch the same tensor change
// places, unless both only read it: then every operator reads what it always read.
//
// With mend, an operator may come behind the only one that makes what it reads.
func checkTouches(m *tflite.Model, s int, order []int, mend bool) error {
	sub := &m.Subgraphs[s]
	tensors := make([]touched, len(sub.Tensors))
	for i := range tensors {
		tensors[i] = touched{-1, -1}
	}
	for _, old := range order {
		op := &sub.Operators[old]
		var refused error
		touches(sub, op, func(t int, writes bool) {
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

// madeOnce reports whether a tensor is the output of one operator alone.
func madeOnce(s *tflite.Subgraph, t int) bool {
	n := 0
	for i := range s.Operators {
		touches(s, &s.Operators[i], func(tensor int, writes bool) {
			if tensor == t && writes {
				n++
			}
		})
	}
	return n == 1
}

// touches visits the tensors that an operator reads and writes. A variable that it reads
// it may write too, and so what the file marks as changed in place.
func touches(s *tflite.Subgraph, op *tflite.Operator, visit func(tensor int, writes bool)) {
	table := op.Table()
	marked := table.MutatingVariableInputsLength()
	for i, t := range op.Inputs {
		if t >= 0 {
			visit(t, s.Tensors[t].Variable || i < marked && table.MutatingVariableInputs(i))
		}
	}
	for _, list := range [][]int{op.Outputs, op.Intermediates} {
		for _, t := range list {
			if t >= 0 {
				visit(t, true)
			}
		}
	}
}

// swapped says which law two operators break: first comes first in the file, and later
// in the new order.
func swapped(m *tflite.Model, s int, first, later *tflite.Operator, t int) error {
	sub := &m.Subgraphs[s]
	verb := func(op *tflite.Operator) string {
		verb := "reads"
		touches(sub, op, func(tensor int, writes bool) {
			if tensor == t && writes {
				verb = "writes"
			}
		})
		return verb
	}
	return &RefusedError{fmt.Sprintf("operator %s would run before operator %s: tensor %s %q, which the first %s, the second %s",
		operatorID(s, later), operatorID(s, first), m.TensorID(s, t), sub.Tensors[t].Name, verb(later), verb(first)), false}
}

// operatorID returns how messages call an operator: its place in the file, and its name.
func operatorID(s int, op *tflite.Operator) string {
	return fmt.Sprintf("%d:%d %s", s, op.Index, op.Name)
}

// checkEffects refuses orders in which operators with effects change places.
func checkEffects(m *tflite.Model, orders [][]int) error {
	for s, order := range orders {
		last := -1
		for _, old := range order {
			op := &m.Subgraphs[s].Operators[old]
			if !hasEffects(m, op) {
				continue
			}
			if old < last {
				return &RefusedError{fmt.Sprintf("operator %s would run before operator %s, and both may have effects beyond their outputs",
					operatorID(s, &m.Subgraphs[s].Operators[last]), operatorID(s, op)), true}
			}
			last = old
		}
	}
	return nil
}

// hasEffects reports whether an operator keeps its order among all that do.
func hasEffects(m *tflite.Model, o *tflite.Operator) bool { return op.HasEffects(m, o) }

// placeMetadata are the entries that name operators by their index in a subgraph: edges
// that LiteRT keeps when it gives parts of the graph to delegates, and where the code of
// each operator for another processor lies. What else is known of names tensors, or, as
// debug_metadata, is referred to by the operators themselves and moves with them.
var placeMetadata = map[string]bool{"model_control_dependencies": true, "LiteRtDispatchBytecodeManifestV1": true}

func checkPlaceMetadata(m *tflite.Model) error {
	for _, md := range m.Metadata {
		if placeMetadata[md.Name] {
			return &RefusedError{fmt.Sprintf("the metadata %q names operators by their index, and would name others", md.Name), true}
		}
	}
	return nil
}

// checkForeignPlan refuses to lose a plan that its header shows to be another tool's,
// when there is somebody that it may have agreements with.
func checkForeignPlan(m *tflite.Model) error {
	plans, err := ReadPlans(m)
	who := vendor(m)
	if err != nil || who == "" {
		return nil // what cannot be followed is nobody's
	}
	for _, p := range plans {
		if p.Version != planVersion || int(p.Subgraphs) != len(m.Subgraphs) {
			return &RefusedError{fmt.Sprintf("the memory plan would go, which is another tool's, and %s may rely on it", who), true}
		}
	}
	return nil
}
