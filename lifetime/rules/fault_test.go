package rules_test

import (
	"fmt"
	"strings"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// TestKernelFaults: what libraries get wrong is said of the operators that it happens to, and of
// no other.
func TestKernelFaults(t *testing.T) {
	const (
		i4  = schema.TensorTypeINT4
		i8  = schema.TensorTypeINT8
		i16 = schema.TensorTypeINT16
		i32 = schema.TensorTypeINT32
	)
	softmax := func(shape ...int32) *tflite.Model {
		return faulty(t, schema.BuiltinOperatorSOFTMAX, []encode.Tensor{typed(i8, shape...)}, typed(i8, shape...))
	}
	conv := func(kind, weights schema.TensorType, depth int32) *tflite.Model {
		return faulty(t, schema.BuiltinOperatorCONV_2D, []encode.Tensor{typed(kind, 1, 8, 8, 8), typed(weights, 16, 3, 3, depth), typed(i32, 16)}, typed(kind, 1, 6, 6, 16))
	}
	svdf := func(state schema.TensorType) *tflite.Model {
		return faulty(t, schema.BuiltinOperatorSVDF, []encode.Tensor{
			typed(i8, 1, 9), typed(i8, 12, 9), typed(state, 12, 4), typed(i32, 6), typed(state, 1, 48),
		}, typed(i8, 1, 6))
	}
	for _, c := range []struct {
		name, library string
		model         *tflite.Model
		want          string // "" for none
	}{
		{"a row", "esp-nn-s3", softmax(1, 12), ""},
		{"rows", "esp-nn-s3", softmax(1, 12, 20), "operator 0:0 SOFTMAX writes 32 B behind its scratch"},
		{"rows that fit", "esp-nn-p4", softmax(1, 20, 12), ""},
		{"rows in plain C", "esp-nn-ansi", softmax(1, 12, 20), ""},
		{"no rows", "esp-nn-generic", softmax(12), "operator 0:0 SOFTMAX reads dimension 1"},
		{"rows with other kernels", "cmsis-nn-mve", softmax(1, 12, 20), ""},
		{"8 bits", "cmsis-nn-dsp", conv(i8, i8, 8), ""},
		{"16 bits", "cmsis-nn-dsp", conv(i16, i8, 8), "operator 0:0 CONV_2D asks for 288 B of scratch whatever the type of its bias"},
		{"groups of 16 bits", "cmsis-nn-mve", conv(i16, i8, 4), "operator 0:0 CONV_2D does not compute what the model says"},
		{"groups of 4 bits", "cmsis-nn-scalar", conv(i8, i4, 4), "operator 0:0 CONV_2D does not compute what the model says"},
		{"groups", "esp-nn-s3", conv(i8, i8, 4), "of scratch that it does not use"},
		{"groups in plain C", "esp-nn-ansi", conv(i8, i8, 4), ""},
		{"no groups", "esp-nn-s3", conv(i8, i8, 8), ""},
		{"weights of 4 bits", "esp-nn-p4", conv(i8, i4, 8), "of scratch that it does not use"},
		{"state", "cmsis-nn-dsp-size", svdf(i8), "operator 0:0 SVDF looks for scratch"},
		{"state with vectors", "cmsis-nn-mve-size", svdf(i8), ""},
		{"state of 16 bits", "cmsis-nn-scalar-size", svdf(i16), ""},
		{"state, for speed", "cmsis-nn-scalar", svdf(i8), ""},
		{"reference", "reference", conv(i16, i8, 4), ""},
		{"none such", "none", conv(i16, i8, 4), ""},
	} {
		got, stops := "", false
		for _, f := range rules.Faults(c.model, c.library) {
			got, stops = got+f.String(), f.Stops
		}
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		more := len(rules.UnsupportedBy(c.model, c.library)) - len(rules.Unsupported(c.model))
		if stops != (more == 1) || stops != strings.Contains(c.want, "SVDF") {
			t.Errorf("%s: stops %t, %d obstacles more", c.name, stops, more)
		}
	}
}

// TestKernelFaultsAreGrouped: operators with the same fault are one, that with the most bytes.
func TestKernelFaultsAreGrouped(t *testing.T) {
	s := encode.Subgraph{}
	for i, depth := range []int32{20, 40, 30} {
		s.Tensors = append(s.Tensors, typed(schema.TensorTypeINT8, 1, 10, depth), typed(schema.TensorTypeINT8, 1, 10, depth))
		s.Operators = append(s.Operators, operator(schema.BuiltinOperatorSOFTMAX, []int{2 * i}, []int{2*i + 1}))
	}
	m, err := tflite.Parse(encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{s}}), "rows")
	if err != nil {
		t.Fatal(err)
	}
	list := rules.Faults(m, "esp-nn-s3")
	if len(list) != 1 || list[0].Operator != 1 || list[0].Operators != 3 || !strings.HasPrefix(list[0].String(), "operator 0:1 SOFTMAX writes 120 B behind") ||
		!strings.HasSuffix(list[0].String(), "so do 2 more, none with a larger number") {
		t.Errorf("%v", list)
	}
}

// faulty returns a model of one operator.
func faulty(t *testing.T, code schema.BuiltinOperator, inputs []encode.Tensor, output encode.Tensor) *tflite.Model {
	t.Helper()
	op := operator(code, nil, []int{len(inputs)})
	for i := range inputs {
		op.Inputs = append(op.Inputs, i)
	}
	if code == schema.BuiltinOperatorCONV_2D {
		op.OptionsType = schema.BuiltinOptionsConv2DOptions
		op.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.Conv2DOptionsStart(b)
			schema.Conv2DOptionsAddPadding(b, schema.PaddingVALID)
			schema.Conv2DOptionsAddStrideH(b, 1)
			schema.Conv2DOptionsAddStrideW(b, 1)
			return schema.Conv2DOptionsEnd(b)
		}
	}
	m, err := tflite.Parse(encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{{
		Tensors: append(inputs, output), Operators: []encode.Operator{op},
	}}}), fmt.Sprint(code))
	if err != nil {
		t.Fatal(err)
	}
	return m
}
