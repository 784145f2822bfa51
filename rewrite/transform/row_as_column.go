package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

// turned holds the fields of the horizontal and vertical stride and dilation in the options of a convolution.
var turned = map[schema.BuiltinOperator][4]int{
	schema.BuiltinOperatorCONV_2D:           {windowStrideW, windowStrideH, convDilationW, convDilationH},
	schema.BuiltinOperatorDEPTHWISE_CONV_2D: {windowStrideW, windowStrideH, depthwiseDilationW, depthwiseDilationH},
}

// rowAsColumn computes a convolution of one row as one of one column, by RESHAPE before and after.
var rowAsColumn = Rule{
	Name: "row-as-column", Purpose: Repairs,
	Operators: []schema.BuiltinOperator{schema.BuiltinOperatorCONV_2D, schema.BuiltinOperatorDEPTHWISE_CONV_2D},
	Condition: "an input, a constant filter and an output of one row",
	Result:    "the same operator on one column between RESHAPE, with strides and dilations swapped",
	Reason:    "the same products are added in the same order",
	Exact:     unoptimised,
	match: func(s *site) *change {
		w, ok := op.WindowOf(s.m, s.sub, s.op)
		in, filter, out := s.in(0), s.in(1), s.out()
		if !ok || !static(in, filter, out) || len(in.Shape) != 4 || len(filter.Shape) != 4 || len(out.Shape) != 4 || !s.stored(filter) ||
			in.Shape[1] != 1 || filter.Shape[1] != 1 || out.Shape[1] != 1 || w.Kernel[0] != 1 || in.Shape[2] == 1 {
			return nil
		}
		turn := func(shape []int32) []int32 { return []int32{shape[0], shape[2], shape[1], shape[3]} }
		c := s.change()
		inputs := slices.Clone(s.op.Inputs)
		inputs[0], inputs[1] = c.shaped(in, turn(in.Shape)...), c.shaped(filter, turn(filter.Shape)...)
		fields, options := turned[s.code], []edit.Option(nil)
		for i, v := range []int64{w.Stride[0], w.Stride[1], w.Dilation[0], w.Dilation[1]} {
			options = append(options, edit.Option{Field: fields[i], Value: v})
		}
		c.into(out, turn(out.Shape), func(y int) { c.again(inputs, y, options...) })
		return c
	},
}
