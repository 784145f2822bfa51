package transform

import (
	"testing"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

func TestWholeTransposeConv(t *testing.T) {
	conv := func(padding schema.Padding, width, height int32, filter, in, out []int32) *tflite.Model {
		shape := numbers(i32, int(out[0]), int(out[1]), int(out[2]), int(out[3]))
		return oneOperator(t, schema.BuiltinOperatorTRANSPOSE_CONV, optionsOf(schema.BuiltinOptionsTransposeConvOptions, schema.TransposeConvOptionsStart,
			schema.TransposeConvOptionsEnd, field(schema.TransposeConvOptionsAddPadding, padding), field(schema.TransposeConvOptionsAddStrideW, width),
			field(schema.TransposeConvOptionsAddStrideH, height)), tensor(i8, out...), shape, tensor(i8, filter...).zeros(), tensor(i8, in...))
	}
	checkRule(t, &wholeTransposeConv,
		example{"padding", conv(schema.PaddingSAME, 1, 3, []int32{5, 5, 5, 1}, []int32{1, 6, 4, 1}, []int32{1, 18, 4, 5}), lines(
			"TRANSPOSE_CONV (1 20 8 5) INT8[5 5 5 1] INT8[1 6 4 1] > INT8[1 20 8 5]",
			"SLICE INT8[1 20 8 5] (0 1 2 0) (1 18 4 5) > INT8[1 18 4 5]",
		)},
		example{"fewer rows", conv(schema.PaddingVALID, 2, 2, []int32{2, 1, 2, 2}, []int32{2, 3, 3, 2}, []int32{2, 5, 6, 2}), lines(
			"TRANSPOSE_CONV (2 6 6 2) INT8[2 1 2 2] INT8[2 3 3 2] > INT8[2 6 6 2]",
			"SLICE INT8[2 6 6 2] (0 0 0 0) (2 5 6 2) > INT8[2 5 6 2]",
		)},
		example{"more rows", conv(schema.PaddingVALID, 2, 2, []int32{2, 3, 3, 2}, []int32{1, 3, 3, 2}, []int32{1, 8, 7, 2}), lines(
			"PAD INT8[1 3 3 2] (0 0 0 1 0 0 0 0) > INT8[1 4 3 2]",
			"TRANSPOSE_CONV (1 9 7 2) INT8[2 3 3 2] INT8[1 4 3 2] > INT8[1 9 7 2]",
			"SLICE INT8[1 9 7 2] (0 0 0 0) (1 8 7 2) > INT8[1 8 7 2]",
		)},
		example{"a narrow filter", conv(schema.PaddingVALID, 4, 1, []int32{2, 3, 1, 2}, []int32{1, 3, 3, 2}, []int32{1, 5, 12, 2}), "TRANSPOSE_CONV (1 5 12 2) INT8[2 3 4 2] INT8[1 3 3 2] > INT8[1 5 12 2]"},
		example{"the whole output", conv(schema.PaddingVALID, 2, 2, []int32{2, 3, 3, 2}, []int32{1, 3, 3, 2}, []int32{1, 7, 7, 2}), ""},
	)
}
