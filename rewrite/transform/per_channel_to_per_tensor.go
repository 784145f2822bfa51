package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// perChannelToPerTensor gives weights with equal scales one scale, so that FULLY_CONNECTED keeps no table of
// multipliers. Convolutions always keep one.
var perChannelToPerTensor = Rule{
	Name: "per-channel-to-per-tensor", Purpose: Memory, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorFULLY_CONNECTED},
	Condition: "constant INT8 weights with the same scale for each channel", Result: "the same operator with one scale",
	Reason: "the requantisation has the same multiplier for all channels", Exact: everywhere,
	match: func(s *site) *change {
		f, ok := s.fullyConnected()
		if !ok || !f.constants(s) || f.in.Type != schema.TensorTypeINT8 || f.bias != nil && !s.stored(f.bias) {
			return nil
		}
		q := quantisationOf(f.filter)
		differs := func(scale float32) bool { return scale != q.scales[0] }
		if len(q.scales) < 2 || slices.ContainsFunc(q.scales, differs) || !sameProducts(f.in, f.filter, f.bias, f.out) ||
			!sameMultiplier(f.in, q.scales[0], f.out) {
			return nil
		}
		c := s.change()
		inputs := slices.Clone(s.op.Inputs)
		inputs[1] = c.tensor(edit.Tensor{
			Name: c.name(f.filter), Like: -1, Type: f.filter.Type, Shape: f.filter.Shape, Buffer: f.filter.Buffer,
			Quantisation: &edit.Quantisation{Scales: q.scales[:1], Zeros: []int64{0}},
		})
		if f.bias != nil {
			inputs[2] = c.oneScale(f.bias)
		}
		c.again(inputs, s.op.Outputs[0])
		return c
	},
}

// oneScale returns a bias with its first scale alone, since LiteRT compares it with the product of the other scales.
func (c *change) oneScale(bias *tflite.Tensor) int {
	q := quantisationOf(bias)
	if len(q.scales) < 2 {
		return bias.Index
	}
	return c.tensor(edit.Tensor{
		Name: c.name(bias), Like: -1, Type: bias.Type, Shape: bias.Shape, Buffer: bias.Buffer,
		Quantisation: &edit.Quantisation{Scales: q.scales[:1], Zeros: []int64{0}},
	})
}
