package transform

import (
	"testing"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

func TestMergeTranspose(t *testing.T) {
	transpose := func(in, out []int32, permutation ...int) *tflite.Model {
		return oneOperator(t, schema.BuiltinOperatorTRANSPOSE, options{}, tensor(i8, out...), tensor(i8, in...), numbers(i32, permutation...))
	}
	checkRule(t, &mergeTranspose,
		example{"dimensions that stay together", transpose([]int32{2, 3, 4, 5, 6}, []int32{4, 5, 6, 2, 3}, 2, 3, 4, 0, 1), lines(
			"RESHAPE INT8[2 3 4 5 6] > INT8[6 120]",
			"TRANSPOSE INT8[6 120] (1 0) > INT8[120 6]",
			"RESHAPE INT8[120 6] > INT8[4 5 6 2 3]",
		)},
		example{"dimensions of one element", transpose([]int32{3, 1, 1, 4, 1}, []int32{1, 4, 1, 3, 1}, 1, 3, 2, 0, 4), lines(
			"RESHAPE INT8[3 1 1 4 1] > INT8[3 4]",
			"TRANSPOSE INT8[3 4] (1 0) > INT8[4 3]",
			"RESHAPE INT8[4 3] > INT8[1 4 1 3 1]",
		)},
		example{"the identity", transpose([]int32{2, 3}, []int32{2, 3}, 0, 1), "RESHAPE INT8[2 3] > INT8[2 3]"},
		example{"from the last", transpose([]int32{2, 3, 4}, []int32{4, 3, 2}, -1, 1, 0), "TRANSPOSE INT8[2 3 4] (2 1 0) > INT8[4 3 2]"},
		example{"all apart", transpose([]int32{2, 3, 4}, []int32{4, 3, 2}, 2, 1, 0), ""},
		example{"another shape", transpose([]int32{2, 1, 3}, []int32{3, 2, 2}, 2, 0, 1), ""},
	)
}
