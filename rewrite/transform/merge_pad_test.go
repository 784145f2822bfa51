package transform

import (
	"testing"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

func TestMergePad(t *testing.T) {
	pad := func(kind schema.TensorType, in, out []int32, paddings ...int) *tflite.Model {
		return oneOperator(t, schema.BuiltinOperatorPAD, options{}, tensor(i8, out...), tensor(i8, in...), numbers(kind, paddings...).shaped(int32(len(in)), 2))
	}
	checkRule(t, &mergePad,
		example{"rows", pad(i32, []int32{2, 3, 4, 5, 6}, []int32{2, 4, 4, 5, 9}, 0, 0, 1, 0, 0, 0, 0, 0, 1, 2), lines(
			"RESHAPE INT8[2 3 4 5 6] > INT8[2 60 6]",
			"PAD INT8[2 60 6] (0 0 20 0 1 2) > INT8[2 80 9]",
			"RESHAPE INT8[2 80 9] > INT8[2 4 4 5 9]",
		)},
		example{"one element", pad(i64, []int32{1, 1, 3}, []int32{1, 1, 6}, 0, 0, 0, 0, 1, 2), lines(
			"RESHAPE INT8[1 1 3] > INT8[3]",
			"PAD INT8[3] (1 2) > INT8[6]",
			"RESHAPE INT8[6] > INT8[1 1 6]",
		)},
		example{"all padded", pad(i32, []int32{2, 3}, []int32{3, 4}, 0, 1, 1, 0), ""},
		example{"negative", pad(i32, []int32{2, 3, 4}, []int32{2, 2, 4}, 0, 0, -1, 0, 0, 0), ""},
	)
	checkRule(t, &padTwice,
		example{"five", pad(i32, []int32{1, 2, 3, 4, 5}, []int32{2, 3, 4, 5, 6}, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1), lines(
			"RESHAPE INT8[1 2 3 4 5] > INT8[1 2 60]",
			"PAD INT8[1 2 60] (0 1 1 0 0 0) > INT8[2 3 60]",
			"RESHAPE INT8[2 3 60] > INT8[6 3 4 5]",
			"PAD INT8[6 3 4 5] (0 0 0 1 1 0 0 1) > INT8[6 4 5 6]",
			"RESHAPE INT8[6 4 5 6] > INT8[2 3 4 5 6]",
		)},
		example{"four", pad(i32, []int32{1, 2, 3, 4}, []int32{2, 3, 4, 5}, 0, 1, 1, 0, 0, 1, 1, 0), ""},
	)
}
