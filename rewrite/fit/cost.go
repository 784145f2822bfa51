package fit

import (
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/schema"
)

// align is what TensorFlow Lite Micro rounds sizes up to, in bytes.
const align = 16

func roundUp(bytes int64) int64 { return (bytes + align - 1) / align * align }

// Persistent bytes of TensorFlow Lite Micro on a 32-bit target, for the search alone:
// what an operator and a tensor take, and what kernels keep. The file that comes out is
// measured.
const (
	nodeBytes, tensorStruct = 32, 12
	convBytes               = 92
	padBytes, joinBytes     = 66, 46
	sliceBytes              = 96
	otherBytes              = 86
)

// tail returns the persistent bytes that a fragment adds to those of the operators from
// to to, about.
func (r *row) tail(f *split.Fragment, from, to int) int64 {
	bytes := int64(tensorStruct * len(f.Tensors))
	for i := range f.Operators {
		bytes += r.operatorTail(&f.Operators[i], f)
	}
	for i := from; i <= to; i++ {
		bytes -= r.operatorTail(&rewrite.EditOperator{Kind: rewrite.EditKeep, Of: i}, f)
	}
	return bytes
}

func (r *row) operatorTail(op *rewrite.EditOperator, f *split.Fragment) int64 {
	switch op.Kind {
	case rewrite.EditPad:
		return nodeBytes + padBytes
	case rewrite.EditSlice:
		return nodeBytes
	case rewrite.EditStridedSlice:
		return nodeBytes + sliceBytes
	case rewrite.EditConcatenation:
		return nodeBytes + joinBytes
	}
	s := &r.model.Subgraphs[0]
	old := &s.Operators[op.Of]
	switch r.model.OperatorCodes[old.Code].Builtin {
	case schema.BuiltinOperatorCONV_2D, schema.BuiltinOperatorDEPTHWISE_CONV_2D:
		shape := s.Tensors[old.Outputs[0]].Shape
		if op.Kind != rewrite.EditKeep && op.Outputs[0] >= len(s.Tensors) {
			shape = f.Tensors[op.Outputs[0]-len(s.Tensors)].Shape
		}
		var channels int64
		if len(shape) == 4 {
			channels = int64(shape[3])
		}
		return nodeBytes + convBytes + 2*roundUp(4*channels)
	}
	return nodeBytes + otherBytes
}
