package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
)

// rowsOfMatrix computes an operator that works row by row with two dimensions, by RESHAPE before and after.
var rowsOfMatrix = Rule{
	Name: "rows-of-matrix", Purpose: Repairs,
	Operators: []schema.BuiltinOperator{schema.BuiltinOperatorSOFTMAX, schema.BuiltinOperatorLOG_SOFTMAX, schema.BuiltinOperatorL2_NORMALIZATION},
	Condition: "an input without two dimensions", Result: "the same operator with an input [rows, depth] between RESHAPE",
	Reason: "each row, of the last dimension, is computed by itself", Exact: everywhere,
	match: func(s *site) *change {
		in, out := s.in(0), s.out()
		if !static(in, out) || len(in.Shape) == 2 || len(in.Shape) == 0 || !slices.Equal(in.Shape, out.Shape) {
			return nil
		}
		depth := in.Shape[len(in.Shape)-1]
		rows := int32(elements(in.Shape) / int64(depth))
		c := s.change()
		x := c.shaped(in, rows, depth)
		c.into(out, []int32{rows, depth}, func(y int) { c.again([]int{x}, y) })
		return c
	},
}
