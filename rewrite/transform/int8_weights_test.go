package transform

import (
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

func TestInt8Weights(t *testing.T) {
	filter := tensor(i4, 1, 3).zeros()
	copy(filter.data, []byte{0x7f, 0x08})
	o := optionsOf(schema.BuiltinOptionsFullyConnectedOptions, schema.FullyConnectedOptionsStart, schema.FullyConnectedOptionsEnd)
	m := oneOperator(t, schema.BuiltinOperatorFULLY_CONNECTED, o, tensor(i8, 1, 1), tensor(i8, 1, 3), filter)
	checkRule(t, &int8Weights,
		example{"INT4", m, "FULLY_CONNECTED INT8[1 3] INT8[1 3] > INT8[1 1]"},
		example{"INT8", oneOperator(t, schema.BuiltinOperatorFULLY_CONNECTED, o, tensor(i8, 1, 1), tensor(i8, 1, 3), tensor(i8, 1, 3).zeros()), ""},
	)
	m, _, err := apply(m, find(m, rules.DefaultDevice(), []*Rule{&int8Weights}, anywhere), nil, (&Options{}).rewrite())
	if err != nil {
		t.Fatal(err)
	}
	s := &m.Subgraphs[0]
	if values, _ := op.Ints(m, s.Operand(s.Operators[0].Inputs, 1)); !slices.Equal(values, []int64{-1, 7, -8}) {
		t.Errorf("the weights are %v", values)
	}
}
