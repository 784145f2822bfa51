package transform

import (
	"testing"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

func TestRowAsColumn(t *testing.T) {
	o := optionsOf(schema.BuiltinOptionsConv2DOptions, schema.Conv2DOptionsStart, schema.Conv2DOptionsEnd,
		field(schema.Conv2DOptionsAddPadding, schema.PaddingVALID), field(schema.Conv2DOptionsAddStrideW, int32(2)), field(schema.Conv2DOptionsAddStrideH, int32(1)))
	conv := func(in, filter, out []int32) *tflite.Model {
		return oneOperator(t, schema.BuiltinOperatorCONV_2D, o, tensor(i8, out...), tensor(i8, in...), tensor(i8, filter...).zeros(), tensor(i32, filter[0]).zeros())
	}
	m := conv([]int32{1, 1, 9, 4}, []int32{2, 1, 3, 4}, []int32{1, 1, 4, 2})
	checkRule(t, &rowAsColumn,
		example{"one row", m, lines(
			"RESHAPE INT8[1 1 9 4] > INT8[1 9 1 4]",
			"CONV_2D INT8[1 9 1 4] INT8[2 3 1 4] (0 0) > INT8[1 4 1 2]",
			"RESHAPE INT8[1 4 1 2] > INT8[1 1 4 2]",
		)},
		example{"two rows", conv([]int32{1, 2, 9, 4}, []int32{2, 1, 3, 4}, []int32{1, 2, 4, 2}), ""},
	)
	m, _, err := apply(m, find(m, rules.DefaultDevice(), []*Rule{&rowAsColumn}, anywhere), nil, (&Options{}).rewrite())
	if err != nil {
		t.Fatal(err)
	}
	if w, ok := op.WindowOf(m, &m.Subgraphs[0], &m.Subgraphs[0].Operators[1]); !ok || w.Stride != [2]int64{2, 1} || w.Kernel != [2]int64{3, 1} {
		t.Errorf("the window is %+v", w)
	}
}
