package transform

import (
	"testing"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

func TestFullyConnectedRepairs(t *testing.T) {
	o := optionsOf(schema.BuiltinOptionsFullyConnectedOptions, schema.FullyConnectedOptionsStart, schema.FullyConnectedOptionsEnd,
		field(schema.FullyConnectedOptionsAddKeepNumDims, true))
	connected := func(kind schema.TensorType, filter operand, out ...int32) *tflite.Model {
		return oneOperator(t, schema.BuiltinOperatorFULLY_CONNECTED, o, tensor(kind, out...), tensor(kind, append(out[:len(out)-1:len(out)-1], 3)...), filter)
	}
	perTensor, perChannel := tensor(i8, 2, 3).zeros(), tensor(i8, 2, 3).zeros().scaled(1, 2)
	checkRule(t, &int16FullyConnectedToConv,
		example{"a scale for each channel", connected(i16, perChannel, 5, 2), lines(
			"RESHAPE INT16[5 3] > INT16[5 1 1 3]",
			"CONV_2D INT16[5 1 1 3] INT8[2 1 1 3] INT64[2] > INT16[5 1 1 2]",
			"RESHAPE INT16[5 1 1 2] > INT16[5 2]",
		)},
		example{"one scale", connected(i16, perTensor, 5, 2), ""},
		example{"INT8", connected(i8, perChannel, 5, 2), ""},
	)
	checkRule(t, &fullyConnectedRows,
		example{"three dimensions", connected(i8, perTensor, 4, 5, 2), lines(
			"FULLY_CONNECTED INT8[4 5 3] INT8[2 3] > INT8[20 2]",
			"RESHAPE INT8[20 2] > INT8[4 5 2]",
		)},
		example{"two dimensions", connected(i8, perTensor, 5, 2), ""},
	)
}
