package op

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// called derives the output shapes of an operator that runs other subgraphs, and reshapes the
// tensors of these; called is false for all other operators. A subgraph is entered once, so the
// work is bounded and calls cannot recurse.
func (r *reshaper) called(s *tflite.Subgraph, o *tflite.Operator) (shapes [][]int32, called bool, err error) {
	fail := func(format string, args ...any) ([][]int32, bool, error) {
		return nil, true, fmt.Errorf("the shapes that operator %d:%d %s makes are not known: %s", s.Index, o.Index, o.Name, fmt.Sprintf(format, args...))
	}
	inputs := o.Inputs
	switch r.m.OperatorCodes[o.Code].Builtin {
	case schema.BuiltinOperatorIF:
		inputs = inputs[min(1, len(inputs)):] // the first input is the condition
	case schema.BuiltinOperatorWHILE, schema.BuiltinOperatorSTABLEHLO_COMPOSITE:
	default:
		return nil, false, nil
	}
	loop := r.m.OperatorCodes[o.Code].Builtin == schema.BuiltinOperatorWHILE
	for n, subgraph := range o.Subgraphs {
		if _, again := r.changed[subgraph]; again {
			return fail("it runs subgraph %d, which another operator runs too", subgraph)
		}
		callee := r.enter(subgraph)
		if len(callee.Inputs) != len(inputs) {
			return fail("it has %d inputs, and subgraph %d has %d", len(inputs), subgraph, len(callee.Inputs))
		}
		r.pass(s, inputs, callee, !loop)
		if err := r.run(callee); err != nil {
			return nil, true, err
		}
		if loop && n == 0 {
			continue // the condition
		}
		if i := r.movedLater(callee); loop && i >= 0 {
			return fail("input %d has other numbers from the second round on", i)
		}
		made := r.results(callee, s, o)
		if shapes == nil {
			shapes = made
		}
		if len(made) != len(shapes) {
			return fail("subgraphs %d and %d have %d and %d outputs", o.Subgraphs[0], subgraph, len(shapes), len(made))
		}
		for i := range made {
			if !slices.Equal(made[i], shapes[i]) {
				return fail("subgraphs %d and %d make different shapes", o.Subgraphs[0], subgraph)
			}
			if loop && (i >= len(inputs) || inputs[i] < 0 || !slices.Equal(made[i], s.Tensors[inputs[i]].Shape)) {
				return fail("the shapes change from one round to the next")
			}
		}
	}
	if len(shapes) != len(o.Outputs) {
		return fail("it has %d outputs, and what it runs has %d", len(o.Outputs), len(shapes))
	}
	return shapes, true, nil
}

// pass copies what is known of the caller's tensors to the inputs of a subgraph: values only if
// they are the same in every call, which may not hold in a loop.
func (r *reshaper) pass(caller *tflite.Subgraph, inputs []int, callee *tflite.Subgraph, numbers bool) {
	for i, k := range callee.Inputs {
		if k < 0 || inputs[i] < 0 {
			continue
		}
		r.set(callee, k, slices.Clone(caller.Tensors[inputs[i]].Shape))
		r.moved[callee.Index][k] = r.moved[caller.Index][inputs[i]]
		if list, ok := r.known[caller.Index][inputs[i]]; ok && numbers {
			r.known[callee.Index][k] = list
		} else {
			delete(r.known[callee.Index], k)
		}
	}
}

// results returns the output shapes of a subgraph, and marks the outputs of the calling
// operator whose values differ from the file.
func (r *reshaper) results(callee, caller *tflite.Subgraph, o *tflite.Operator) [][]int32 {
	made := make([][]int32, len(callee.Outputs))
	for i, k := range callee.Outputs {
		if k < 0 {
			continue
		}
		made[i] = slices.Clone(callee.Tensors[k].Shape)
		if i < len(o.Outputs) && o.Outputs[i] >= 0 && r.moved[callee.Index][k] {
			r.moved[caller.Index][o.Outputs[i]] = true
		}
	}
	return made
}

// movedLater returns the input of a loop body whose values change only in the second iteration,
// as an output of the first; -1 if none.
func (r *reshaper) movedLater(body *tflite.Subgraph) int {
	for i, k := range body.Outputs[:min(len(body.Outputs), len(body.Inputs))] {
		if in := body.Inputs[i]; k >= 0 && in >= 0 && r.moved[body.Index][k] && !r.moved[body.Index][in] {
			return i
		}
	}
	return -1
}
