package patch

import (
	"fmt"

	"github.com/tflarena/tflarena/tflite"
)

// Touches visits the tensors that an operator reads and writes. A variable it reads counts as
// written, and so does an input that the file marks as mutated.
func Touches(s *tflite.Subgraph, op *tflite.Operator, visit func(tensor int, writes bool)) {
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

// OperatorID returns an operator's name in messages: position in the file and operator name.
func OperatorID(s int, op *tflite.Operator) string {
	return fmt.Sprintf("%d:%d %s", s, op.Index, op.Name)
}
