package transform

import (
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

func TestPlainSlice(t *testing.T) {
	strided := func(in, out []int32, begin, end, step operand, fields ...func(*flatbuffers.Builder)) *tflite.Model {
		return oneOperator(t, schema.BuiltinOperatorSTRIDED_SLICE, optionsOf(schema.BuiltinOptionsStridedSliceOptions, schema.StridedSliceOptionsStart,
			schema.StridedSliceOptionsEnd, fields...), tensor(f32, out...), tensor(f32, in...), begin, end, step)
	}
	of := func(values ...int) operand { return numbers(i32, values...) }
	checkRule(t, &plainSlice,
		example{"short", strided([]int32{3, 4, 5}, []int32{2, 4, 5}, of(1), of(3), of(1)), lines(
			"RESHAPE FLOAT32[3 4 5] > FLOAT32[60]",
			"STRIDED_SLICE FLOAT32[60] (20) (60) (1) > FLOAT32[40]",
			"RESHAPE FLOAT32[40] > FLOAT32[2 4 5]",
		)},
		example{"an ellipsis", strided([]int32{3, 4, 5}, []int32{3, 4, 2}, of(0, 0), of(0, 5), of(1, 3), field(schema.StridedSliceOptionsAddEllipsisMask, 1)), lines(
			"RESHAPE FLOAT32[3 4 5] > FLOAT32[12 5]",
			"STRIDED_SLICE FLOAT32[12 5] (0 0) (12 4) (1 3) > FLOAT32[12 2]",
			"RESHAPE FLOAT32[12 2] > FLOAT32[3 4 2]",
		)},
		example{"a new axis", strided([]int32{4, 5}, []int32{1, 2, 5}, of(0, 1), of(0, 3), of(1, 1), field(schema.StridedSliceOptionsAddNewAxisMask, 1)), lines(
			"RESHAPE FLOAT32[4 5] > FLOAT32[20]",
			"STRIDED_SLICE FLOAT32[20] (5) (15) (1) > FLOAT32[10]",
			"RESHAPE FLOAT32[10] > FLOAT32[1 2 5]",
		)},
		example{"backwards", strided([]int32{2, 4}, []int32{2, 4}, of(0, 3), of(2, -9), of(1, -1)), "STRIDED_SLICE FLOAT32[2 4] (0 3) (2 0) (1 -1) > FLOAT32[2 4]"},
		example{"a place", strided([]int32{1, 2, 3, 4, 5}, []int32{1, 2, 4, 5}, of(0, 0, 1), of(1, 2, 2), of(1, 1, 1), field(schema.StridedSliceOptionsAddShrinkAxisMask, 4)), lines(
			"RESHAPE FLOAT32[1 2 3 4 5] > FLOAT32[6 20]",
			"STRIDED_SLICE FLOAT32[6 20] (1 0) (5 20) (3 1) > FLOAT32[2 20]",
			"RESHAPE FLOAT32[2 20] > FLOAT32[1 2 4 5]",
		)},
		example{"everything", strided([]int32{2, 3}, []int32{2, 3}, of(0), of(2), of(1)), "RESHAPE FLOAT32[2 3] > FLOAT32[2 3]"},
		example{"computed", strided([]int32{3}, []int32{2}, tensor(i32, 1), of(3), of(1)), ""},
		example{"SLICE", oneOperator(t, schema.BuiltinOperatorSLICE, options{}, tensor(f32, 1, 1, 1, 2, 2, 1), tensor(f32, 1, 2, 1, 3, 2, 1),
			of(0, 1, 0, 1, 0, 0), of(1, 1, 1, -1, 2, 1)), lines(
			"RESHAPE FLOAT32[1 2 1 3 2 1] > FLOAT32[12]",
			"SLICE FLOAT32[12] (8) (4) > FLOAT32[4]",
			"RESHAPE FLOAT32[4] > FLOAT32[1 1 1 2 2 1]",
		)},
		example{"too much", oneOperator(t, schema.BuiltinOperatorSLICE, options{}, tensor(f32, 3), tensor(f32, 4), of(2), of(3)), ""},
	)
}
