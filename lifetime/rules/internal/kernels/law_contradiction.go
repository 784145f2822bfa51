package kernels

import (
	"errors"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

// contradiction is the row for every operator. Kernels use the output shape in the file, and
// most of them do not compare shapes.
var contradiction = contradicts(Overruns, "", "contradictory shapes, options or constants, or an output shape that does not follow from them", func(k *Kernel) string {
	if k.model.OperatorCodes[k.op.Code].Builtin == schema.BuiltinOperatorRESHAPE {
		return "" // see [reshaped]
	}
	shapes, err := op.Shapes(k.model, k.sub, k.op)
	if e := (*op.ShapeError)(nil); errors.As(err, &e) && e.Contradiction {
		return "has contradictory operands: " + e.Reason
	}
	for i, shape := range shapes {
		if t := k.output(i); t != nil && !slices.Contains(t.Shape, -1) && !k.interchangeable(shape, t.Shape) {
			return fmt.Sprintf("makes shape %v, but its output %d has shape %v in the file", shape, i, t.Shape)
		}
	}
	return ""
})

// reduced lists the operators whose kernels ignore leading dimensions of 1 in the output.
var reduced = ops(
	schema.BuiltinOperatorMEAN, schema.BuiltinOperatorSUM, schema.BuiltinOperatorREDUCE_MAX, schema.BuiltinOperatorREDUCE_MIN, schema.BuiltinOperatorREDUCE_ALL,
	schema.BuiltinOperatorARG_MAX, schema.BuiltinOperatorARG_MIN, schema.BuiltinOperatorGATHER, schema.BuiltinOperatorGATHER_ND,
)

// interchangeable reports whether a kernel writes the same bytes for both output shapes: any
// shape with as many elements if it computes element by element, any with the same last
// dimension if row by row, and any number of leading dimensions of 1 if it broadcasts or
// reduces.
func (k *Kernel) interchangeable(made, file []int32) bool {
	code := k.model.OperatorCodes[k.op.Code].Builtin
	arity := op.Of(code).Arity
	switch {
	case slices.Equal(made, file):
		return true
	case elementsOf(made) != elementsOf(file):
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
