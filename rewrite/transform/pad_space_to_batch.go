package transform

import (
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
)

// padSpaceToBatch pads the input of SPACE_TO_BATCH_ND by PAD.
var padSpaceToBatch = Rule{
	Name: "pad-space-to-batch", Purpose: Repairs, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorSPACE_TO_BATCH_ND},
	Condition: "constant paddings", Result: "PAD, and SPACE_TO_BATCH_ND without padding",
	Reason: "the padding is 0 in both", Exact: everywhere,
	match: func(s *site) *change {
		in, out, pads := s.in(0), s.out(), s.in(2)
		values, ok := s.ints(2)
		if !ok || !static(in, out) || len(values)%2 != 0 || len(in.Shape) < len(values)/2+1 || len(in.Shape) > 4 || !sameQuantisation(in, out) {
			return nil
		}
		shape, paddings := slices.Clone(in.Shape), make([]int64, 2*len(in.Shape))
		copy(paddings[2:], values)
		for i := range shape {
			before, after := paddings[2*i], paddings[2*i+1]
			if before < 0 || after < 0 || max(before, after) > elements(out.Shape) {
				return nil
			}
			shape[i] = int32(min(int64(shape[i])+before+after, math.MaxInt32))
		}
		if slices.Equal(shape, in.Shape) || !countable(shape) || elements(shape) != elements(out.Shape) {
			return nil
		}
		c := s.change()
		padded := c.like(in, shape...)
		c.add(schema.BuiltinOperatorPAD, []int{in.Index, c.numbers("paddings", []int32{int32(len(shape)), 2}, paddings...)}, padded)
		inputs := slices.Clone(s.op.Inputs)
		inputs[0], inputs[2] = padded, c.numbers("paddings", pads.Shape, make([]int64, len(values))...)
		c.again(inputs, out.Index)
		return c
	},
}
