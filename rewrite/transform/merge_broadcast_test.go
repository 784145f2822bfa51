package transform

import (
	"testing"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

func TestMergeBroadcast(t *testing.T) {
	maximum := func(out []int32, a, b operand) *tflite.Model {
		return oneOperator(t, schema.BuiltinOperatorMAXIMUM, options{}, tensor(i8, out...), a, b)
	}
	checkRule(t, &mergeBroadcast,
		example{"equal", maximum([]int32{2, 3, 4}, tensor(i8, 2, 3, 4), tensor(i8, 2, 3, 4)), lines(
			"RESHAPE INT8[2 3 4] > INT8[24]",
			"RESHAPE INT8[2 3 4] > INT8[24]",
			"MAXIMUM INT8[24] INT8[24] > INT8[24]",
			"RESHAPE INT8[24] > INT8[2 3 4]",
		)},
		example{"a column", maximum([]int32{1, 4, 6, 1}, tensor(i8, 1, 4, 6, 1), tensor(i8, 1, 4, 1, 1)), lines(
			"RESHAPE INT8[1 4 6 1] > INT8[4 6]",
			"RESHAPE INT8[1 4 1 1] > INT8[4 1]",
			"MAXIMUM INT8[4 6] INT8[4 1] > INT8[4 6]",
			"RESHAPE INT8[4 6] > INT8[1 4 6 1]",
		)},
		example{"a scalar", maximum([]int32{1, 2, 1, 2, 3, 1}, tensor(i8, 1, 2, 1, 2, 3, 1), tensor(i8).zeros()), lines(
			"RESHAPE INT8[1 2 1 2 3 1] > INT8[12]",
			"MAXIMUM INT8[12] INT8[1] > INT8[12]",
			"RESHAPE INT8[12] > INT8[1 2 1 2 3 1]",
		)},
		example{"crosswise", maximum([]int32{2, 3}, tensor(i8, 2, 1), tensor(i8, 1, 3)), ""},
		example{"no broadcast", maximum([]int32{2, 3, 4}, tensor(i8, 2, 3, 4), tensor(i8, 2)), ""},
	)
	checkRule(t, &mergeBroadcastTo, example{"six dimensions", oneOperator(t, schema.BuiltinOperatorBROADCAST_TO, options{},
		tensor(f32, 1, 2, 1, 4, 1, 3), tensor(f32, 1, 1, 4, 1, 3), numbers(i32, 1, 2, 1, 4, 1, 3)), lines(
		"RESHAPE FLOAT32[1 1 4 1 3] > FLOAT32[1 12]",
		"BROADCAST_TO FLOAT32[1 12] (2 12) > FLOAT32[2 12]",
		"RESHAPE FLOAT32[2 12] > FLOAT32[1 2 1 4 1 3]",
	)})
	checkRule(t, &mergeBatchMatmul, example{"batches", oneOperator(t, schema.BuiltinOperatorBATCH_MATMUL,
		optionsOf(schema.BuiltinOptionsBatchMatMulOptions, schema.BatchMatMulOptionsStart, schema.BatchMatMulOptionsEnd),
		tensor(f32, 2, 3, 5, 4, 7), tensor(f32, 2, 3, 1, 4, 6), tensor(f32, 2, 3, 5, 6, 7)), lines(
		"RESHAPE FLOAT32[2 3 1 4 6] > FLOAT32[6 1 4 6]",
		"RESHAPE FLOAT32[2 3 5 6 7] > FLOAT32[6 5 6 7]",
		"BATCH_MATMUL FLOAT32[6 1 4 6] FLOAT32[6 5 6 7] > FLOAT32[6 5 4 7]",
		"RESHAPE FLOAT32[6 5 4 7] > FLOAT32[2 3 5 4 7]",
	)})
}
