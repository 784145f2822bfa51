package transform

import (
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

func TestInt64Bias(t *testing.T) {
	o := optionsOf(schema.BuiltinOptionsFullyConnectedOptions, schema.FullyConnectedOptionsStart, schema.FullyConnectedOptionsEnd,
		field(schema.FullyConnectedOptionsAddQuantizedBiasType, i32))
	m := oneOperator(t, schema.BuiltinOperatorFULLY_CONNECTED, o, tensor(i16, 1, 2), tensor(i16, 1, 3), tensor(i8, 2, 3).zeros(), numbers(i32, -1, 70000).scaled(0.0625))
	checkRule(t, &int64Bias,
		example{"INT32", m, "FULLY_CONNECTED INT16[1 3] INT8[2 3] INT64[2] > INT16[1 2]"},
		example{"INT64", oneOperator(t, schema.BuiltinOperatorFULLY_CONNECTED, o, tensor(i16, 1, 2), tensor(i16, 1, 3), tensor(i8, 2, 3).zeros(), tensor(i64, 2).zeros()), ""},
		example{"INT8", oneOperator(t, schema.BuiltinOperatorFULLY_CONNECTED, o, tensor(i8, 1, 2), tensor(i8, 1, 3), tensor(i8, 2, 3).zeros(), tensor(i32, 2).zeros()), ""},
	)
	m, _, err := apply(m, find(m, rules.DefaultDevice(), []*Rule{&int64Bias}, anywhere), nil, (&Options{}).rewrite())
	if err != nil {
		t.Fatal(err)
	}
	s := &m.Subgraphs[0]
	bias := s.Operand(s.Operators[0].Inputs, 2)
	var got schema.FullyConnectedOptions
	if values, _ := op.Ints(m, bias); !slices.Equal(values, []int64{-1, 70000}) || !slices.Equal(quantisationOf(bias).scales, []float32{0.0625}) ||
		!s.Operators[0].Options(schema.BuiltinOptionsFullyConnectedOptions, &got) || got.QuantizedBiasType() != i64 {
		t.Errorf("the bias is %v, %v, %v", values, quantisationOf(bias), got.QuantizedBiasType())
	}
}
