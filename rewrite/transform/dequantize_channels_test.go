package transform

import (
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
)

func TestDequantizeChannels(t *testing.T) {
	channels := func(n int32) operand {
		scales := make([]float32, n)
		for i := range scales {
			scales[i] = 0.1 + float32(i)/7
		}
		return tensor(i8, n, 2).scaled(scales...)
	}
	checkRule(t, &dequantizeChannels,
		example{"two", oneOperator(t, schema.BuiltinOperatorDEQUANTIZE, options{}, tensor(f32, 2, 2), channels(2)), lines(
			"SPLIT (0) INT8[2 2] > INT8[1 2] INT8[1 2]",
			"DEQUANTIZE INT8[1 2] > FLOAT32[1 2]",
			"DEQUANTIZE INT8[1 2] > FLOAT32[1 2]",
			"CONCATENATION FLOAT32[1 2] FLOAT32[1 2] > FLOAT32[2 2]",
		)},
		example{"one scale", oneOperator(t, schema.BuiltinOperatorDEQUANTIZE, options{}, tensor(f32, 2, 2), tensor(i8, 2, 2)), ""},
	)
	var list []oracle.Comparison
	for _, n := range []int32{2, 3, 10, 11, 64} {
		m := oneOperator(t, schema.BuiltinOperatorDEQUANTIZE, options{}, tensor(f32, n, 2), channels(n))
		changed, _, err := apply(m, find(m, rules.DefaultDevice(), []*Rule{&dequantizeChannels}, anywhere), nil, (&Options{}).rewrite())
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, oracle.Comparison{Model: changed.Data, Twin: m.Data, Inputs: inputsOf(m, uint64(n)), Outputs: 1})
	}
	for i, d := range oracle.Compare(t, list) {
		if d != (oracle.Difference{}) {
			t.Errorf("model %d: %+v", i, d)
		}
	}
}
