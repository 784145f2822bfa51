package transform

import (
	"testing"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

func TestMergeMean(t *testing.T) {
	mean := func(in operand, out operand, axes ...int) *tflite.Model {
		return oneOperator(t, schema.BuiltinOperatorMEAN, optionsOf(schema.BuiltinOptionsReducerOptions, schema.ReducerOptionsStart, schema.ReducerOptionsEnd,
			field(schema.ReducerOptionsAddKeepDims, len(out.Shape) == len(in.Shape))), out, in, numbers(i32, axes...))
	}
	checkRule(t, &mergeMean,
		example{"all", mean(tensor(f32, 3, 4, 1, 2, 1), tensor(f32), 0, 1, 2, 3, 4), lines(
			"RESHAPE FLOAT32[3 4 1 2 1] > FLOAT32[24]",
			"MEAN FLOAT32[24] (0) > FLOAT32[]",
		)},
		example{"some", mean(tensor(f32, 2, 3, 4, 5), tensor(f32, 2, 3), 2, -1), lines(
			"RESHAPE FLOAT32[2 3 4 5] > FLOAT32[6 20]",
			"MEAN FLOAT32[6 20] (1) > FLOAT32[6]",
			"RESHAPE FLOAT32[6] > FLOAT32[2 3]",
		)},
		example{"kept", mean(tensor(f32, 2, 3, 4, 5), tensor(f32, 2, 1, 1, 5), 1, 2), lines(
			"RESHAPE FLOAT32[2 3 4 5] > FLOAT32[2 12 5]",
			"MEAN FLOAT32[2 12 5] (1) > FLOAT32[2 5]",
			"RESHAPE FLOAT32[2 5] > FLOAT32[2 1 1 5]",
		)},
		example{"nothing to merge", mean(tensor(f32, 2, 3), tensor(f32, 2), 1), ""},
		example{"nothing to reduce", mean(tensor(f32, 2, 1, 1), tensor(f32, 2), 1, 2), ""},
	)
}
