package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
)

// mostChannels is the number of channels that are dequantised one by one at most.
const mostChannels = 64

// dequantizeChannels dequantises channels with scales of their own one by one.
var dequantizeChannels = Rule{
	Name: "dequantize-channels", Purpose: Repairs, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorDEQUANTIZE},
	Condition: "INT8 or INT16 with a scale for each channel, at most 64",
	Result:    "SPLIT, a DEQUANTIZE for each channel, and CONCATENATION",
	Reason:    "each element is multiplied by the scale of its channel",
	Exact:     everywhere,
	match: func(s *site) *change {
		in, out := s.in(0), s.out()
		if !static(in, out) || in.Type != schema.TensorTypeINT8 && in.Type != schema.TensorTypeINT16 || !slices.Equal(in.Shape, out.Shape) {
			return nil
		}
		q := quantisationOf(in)
		n := len(q.scales)
		if n < 2 || n > mostChannels || q.details || len(q.zeros) != n && len(q.zeros) > 1 || q.dimension < 0 ||
			q.dimension >= len(in.Shape) || int(in.Shape[q.dimension]) != n {
			return nil
		}
		shape := slices.Clone(in.Shape)
		shape[q.dimension] = 1
		var parts []int
		c := s.change()
		for i, scale := range q.scales {
			zero := int64(0)
			if len(q.zeros) > 0 {
				zero = q.zeros[min(i, len(q.zeros)-1)]
			}
			parts = append(parts, c.tensor(edit.Tensor{
				Name: c.name(in), Like: -1, Type: in.Type, Shape: shape, Quantisation: &edit.Quantisation{Scales: []float32{scale}, Zeros: []int64{zero}},
			}))
		}
		c.partwise(in.Index, q.dimension, parts, out, func(_, part, result int) { c.again([]int{part}, result) })
		return c
	},
}
