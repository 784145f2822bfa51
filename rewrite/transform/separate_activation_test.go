package transform

import (
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

func TestSeparateActivation(t *testing.T) {
	add := func(kind schema.TensorType, a schema.ActivationFunctionType) *tflite.Model {
		return oneOperator(t, schema.BuiltinOperatorADD, optionsOf(schema.BuiltinOptionsAddOptions, schema.AddOptionsStart, schema.AddOptionsEnd,
			field(schema.AddOptionsAddFusedActivationFunction, a)), tensor(kind, 3), tensor(kind, 3), tensor(kind, 3))
	}
	checkRule(t, &separateActivation,
		example{"RELU", add(i32, schema.ActivationFunctionTypeRELU), lines(
			"ADD INT32[3] INT32[3] > INT32[3]",
			"MAXIMUM INT32[3] (0) > INT32[3]",
		)},
		example{"RELU_N1_TO_1", add(i32, schema.ActivationFunctionTypeRELU_N1_TO_1), lines(
			"ADD INT32[3] INT32[3] > INT32[3]",
			"MAXIMUM INT32[3] (-1) > INT32[3]",
			"MINIMUM INT32[3] (1) > INT32[3]",
		)},
		example{"INT8", add(i8, schema.ActivationFunctionTypeRELU6), lines(
			"ADD INT8[3] INT8[3] > INT8[3]",
			"RELU6 INT8[3] > INT8[3]",
		)},
		example{"NONE", add(i32, schema.ActivationFunctionTypeNONE), ""},
		example{"TANH", add(i32, schema.ActivationFunctionTypeTANH), ""},
	)
	m := add(i8, schema.ActivationFunctionTypeRELU6)
	lowest, highest, ok := limits(schema.ActivationFunctionTypeRELU6, &m.Subgraphs[0].Tensors[2])
	if !ok || !slices.Equal(lowest, []byte{0}) || !slices.Equal(highest, []byte{24}) {
		t.Errorf("RELU6 with a scale of 1/4 is from %v to %v", lowest, highest)
	}
}
