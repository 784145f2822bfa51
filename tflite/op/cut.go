package op

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Cut returns the first element, along each dimension, of the box that a SLICE or STRIDED_SLICE copies from its
// input. The box has the shape of the output. It returns false for other operators, for parameters that
// are not constant, and for strides and masks that do not copy a box. The size of a SLICE must equal its
// output's, since TensorFlow Lite Micro uses the size and compares only the numbers of elements; -1
// stands for all elements from begin on.
func Cut(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator) (begin []int64, ok bool) {
	in, code := s.Operand(o.Inputs, 0), m.OperatorCodes[o.Code].Builtin
	begin, ok = Ints(m, s.Operand(o.Inputs, 1))
	if !ok || in == nil || len(o.Outputs) != 1 || o.Outputs[0] < 0 {
		return nil, false
	}
	out := s.Tensors[o.Outputs[0]].Shape
	if len(begin) != len(out) || len(in.Shape) != len(out) {
		return nil, false
	}
	switch code {
	case schema.BuiltinOperatorSLICE:
		size, ok := Ints(m, s.Operand(o.Inputs, 2))
		if !ok || len(size) != len(out) {
			return nil, false
		}
		for d, n := range size {
			if n == -1 {
				n = int64(in.Shape[d]) - begin[d]
			}
			if n != int64(out[d]) {
				return nil, false
			}
		}
		return begin, true
	case schema.BuiltinOperatorSTRIDED_SLICE:
		var options schema.StridedSliceOptions
		strides, ok := Ints(m, s.Operand(o.Inputs, 3))
		return begin, ok && len(strides) == len(out) && !slices.ContainsFunc(strides, func(s int64) bool { return s != 1 }) &&
			o.Options(schema.BuiltinOptionsStridedSliceOptions, &options) && !options.Offset() &&
			options.BeginMask()|options.EndMask()|options.EllipsisMask()|options.NewAxisMask()|options.ShrinkAxisMask() == 0
	}
	return nil, false
}
