package faults

import (
	"errors"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

// contradiction is the row of every operator: kernels go by the shape that the file has for an output, and most
// of them by those of all operands, without comparing them.
var contradiction = contradicts(Overruns, "", "shapes, options and constants that contradict each other, or an output of another shape than the one that follows from them", func(k kernel) string {
	if k.model.OperatorCodes[k.op.Code].Builtin == schema.BuiltinOperatorRESHAPE {
		return "" // [reshaped] has it
	}
	shapes, err := op.Shapes(k.model, k.sub, k.op)
	if e := (*op.ShapeError)(nil); errors.As(err, &e) && e.Contradiction {
		return "contradicts itself: " + e.Reason
	}
	for i, shape := range shapes {
		if t := k.output(i); t != nil && !slices.Contains(t.Shape, -1) && !k.interchangeable(shape, t.Shape) {
			return fmt.Sprintf("makes the shape %v, and its output %d has %v", shape, i, t.Shape)
		}
	}
	return ""
})

// reduced are the operators whose kernels make an output of other dimensions of 1 as well.
var reduced = ops(
	schema.BuiltinOperatorMEAN, schema.BuiltinOperatorSUM, schema.BuiltinOperatorREDUCE_MAX, schema.BuiltinOperatorREDUCE_MIN, schema.BuiltinOperatorREDUCE_ALL,
	schema.BuiltinOperatorARG_MAX, schema.BuiltinOperatorARG_MIN, schema.BuiltinOperatorGATHER, schema.BuiltinOperatorGATHER_ND,
)

// interchangeable reports whether a kernel that makes an output of one shape does the same for another: of as many
// elements where it goes from one to the next or from one row to the next, and with other dimensions of 1 in front
// where it broadcasts or reduces.
func (k kernel) interchangeable(made, file []int32) bool {
	code := k.model.OperatorCodes[k.op.Code].Builtin
	arity := op.Of(code).Arity
	switch {
	case slices.Equal(made, file):
		return true
	case size(made) != size(file):
		return false
	case code == schema.BuiltinOperatorFULLY_CONNECTED:
		return len(file) > 0 && file[len(file)-1] == made[len(made)-1]
	case arity == 1:
		return true
	}
	return (arity != 0 || slices.Contains(reduced, code)) && slices.Equal(withoutLeadingOnes(made), withoutLeadingOnes(file))
}

func withoutLeadingOnes(shape []int32) []int32 {
	for len(shape) > 0 && shape[0] == 1 {
		shape = shape[1:]
	}
	return shape
}
