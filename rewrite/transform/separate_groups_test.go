package transform

import (
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

func TestSeparateGroups(t *testing.T) {
	o := optionsOf(schema.BuiltinOptionsConv2DOptions, schema.Conv2DOptionsStart, schema.Conv2DOptionsEnd,
		field(schema.Conv2DOptionsAddPadding, schema.PaddingVALID), field(schema.Conv2DOptionsAddStrideW, int32(1)), field(schema.Conv2DOptionsAddStrideH, int32(1)))
	conv := func(depth, channels int32) *tflite.Model {
		filter := tensor(i8, channels, 1, 1, depth).zeros()
		scales := make([]float32, channels)
		for i := range scales {
			scales[i] = float32(1 + i)
		}
		for i := range filter.data {
			filter.data[i] = byte(i)
		}
		return oneOperator(t, schema.BuiltinOperatorCONV_2D, o, tensor(i8, 1, 1, 1, channels), tensor(i8, 1, 1, 1, 6), filter.scaled(scales...), tensor(i32, channels).zeros())
	}
	m := conv(3, 4)
	checkRule(t, &separateGroups, example{"two groups", m, lines(
		"SPLIT (3) INT8[1 1 1 6] > INT8[1 1 1 3] INT8[1 1 1 3]",
		"CONV_2D INT8[1 1 1 3] INT8[2 1 1 3] (0 0) > INT8[1 1 1 2]",
		"CONV_2D INT8[1 1 1 3] INT8[2 1 1 3] (0 0) > INT8[1 1 1 2]",
		"CONCATENATION INT8[1 1 1 2] INT8[1 1 1 2] > INT8[1 1 1 4]",
	)}, example{"one group", conv(6, 4), ""})
	m, _, err := apply(m, find(m, rules.DefaultDevice(), []*Rule{&separateGroups}, anywhere), nil, (&Options{}).rewrite())
	if err != nil {
		t.Fatal(err)
	}
	s := &m.Subgraphs[0]
	filter := s.Operand(s.Operators[2].Inputs, 1)
	if q := quantisationOf(filter); !slices.Equal(q.scales, []float32{3, 4}) || !slices.Equal(m.Buffer(filter).Data, []byte{6, 7, 8, 9, 10, 11}) {
		t.Errorf("the second filter is %v, %v", m.Buffer(filter).Data, q)
	}
}

func TestConcatenate(t *testing.T) {
	// 23 groups take more than one CONCATENATION.
	o := optionsOf(schema.BuiltinOptionsConv2DOptions, schema.Conv2DOptionsStart, schema.Conv2DOptionsEnd,
		field(schema.Conv2DOptionsAddPadding, schema.PaddingVALID), field(schema.Conv2DOptionsAddStrideW, int32(1)), field(schema.Conv2DOptionsAddStrideH, int32(1)))
	m := oneOperator(t, schema.BuiltinOperatorCONV_2D, o, tensor(i8, 1, 1, 1, 23), tensor(i8, 1, 1, 1, 23), tensor(i8, 23, 1, 1, 1).zeros())
	m, _, err := apply(m, find(m, rules.DefaultDevice(), []*Rule{&separateGroups}, anywhere), nil, (&Options{}).rewrite())
	if err != nil {
		t.Fatal(err)
	}
	list := strings.Split(operatorsOf(m), "\n")
	if len(list) != 1+23+4 || !strings.HasSuffix(list[27], "INT8[1 1 1 10] INT8[1 1 1 10] INT8[1 1 1 3] > INT8[1 1 1 23]") {
		t.Errorf("%d operators, the last is %s", len(list), list[len(list)-1])
	}
}
