package transform

import (
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
)

func TestZeroBias(t *testing.T) {
	conv := optionsOf(schema.BuiltinOptionsConv2DOptions, schema.Conv2DOptionsStart, schema.Conv2DOptionsEnd,
		field(schema.Conv2DOptionsAddPadding, schema.PaddingVALID), field(schema.Conv2DOptionsAddStrideW, int32(1)), field(schema.Conv2DOptionsAddStrideH, int32(1)))
	checkRule(t, &zeroBias,
		example{"absent", oneOperator(t, schema.BuiltinOperatorCONV_2D, conv, tensor(i8, 1, 1, 1, 2), tensor(i8, 1, 1, 1, 3), tensor(i8, 2, 1, 1, 3).zeros()), "CONV_2D INT8[1 1 1 3] INT8[2 1 1 3] (0 0) > INT8[1 1 1 2]"},
		example{"-1", oneOperator(t, schema.BuiltinOperatorCONV_2D, conv, tensor(i16, 1, 1, 1, 2), tensor(i16, 1, 1, 1, 3), tensor(i8, 2, 1, 1, 3).zeros(), missing), "CONV_2D INT16[1 1 1 3] INT8[2 1 1 3] INT64[2] > INT16[1 1 1 2]"},
		example{"given", oneOperator(t, schema.BuiltinOperatorCONV_2D, conv, tensor(f32, 1, 1, 1, 2), tensor(f32, 1, 1, 1, 3), tensor(f32, 2, 1, 1, 3).zeros(), tensor(f32, 2).zeros()), ""},
	)
	m := oneOperator(t, schema.BuiltinOperatorCONV_2D, conv, tensor(i8, 1, 1, 1, 2), tensor(i8, 1, 1, 1, 3), tensor(i8, 2, 1, 1, 3).zeros().scaled(0.5, 2))
	m, _, err := apply(m, find(m, rules.DefaultDevice(), []*Rule{&zeroBias}, anywhere), nil, (&Options{}).rewrite())
	if err != nil {
		t.Fatal(err)
	}
	s := &m.Subgraphs[0]
	if q := quantisationOf(s.Operand(s.Operators[0].Inputs, 2)); !slices.Equal(q.scales, []float32{0.125, 0.5}) || q.dimension != 0 {
		t.Errorf("the bias has %v", q)
	}
}
