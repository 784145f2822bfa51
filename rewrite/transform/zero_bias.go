package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// zeroBias gives an operator without a bias one of zeros.
var zeroBias = Rule{
	Name: "zero-bias", Purpose: Repairs,
	Operators: []schema.BuiltinOperator{
		schema.BuiltinOperatorCONV_2D, schema.BuiltinOperatorDEPTHWISE_CONV_2D, schema.BuiltinOperatorTRANSPOSE_CONV,
		schema.BuiltinOperatorSVDF, schema.BuiltinOperatorFULLY_CONNECTED,
	},
	Condition: "no bias", Result: "the same operator with a bias of zeros",
	Reason: "adding 0 changes no sum; sums of INT16 are rounded as with any bias of INT64",
	Exact:  unoptimised,
	match: func(s *site) *change {
		place, data := s.biasPlace()
		in, filter := s.in(data), s.in(1)
		if s.in(place) != nil || len(s.op.Inputs) < place || !static(in, filter, s.out()) || len(filter.Shape) < 2 {
			return nil
		}
		channels := filter.Shape[0]
		a, b := in, filter // whose scales make that of the bias
		switch s.code {
		case schema.BuiltinOperatorDEPTHWISE_CONV_2D:
			channels = filter.Shape[len(filter.Shape)-1]
		case schema.BuiltinOperatorSVDF:
			out := s.out().Shape
			if len(out) == 0 {
				return nil
			}
			channels = out[len(out)-1]
			if a, b = s.in(4), s.in(2); a == nil || b == nil {
				return nil
			}
		}
		c := s.change()
		inputs := slices.Clone(s.op.Inputs)
		if len(inputs) == place {
			inputs = append(inputs, -1)
		}
		bias := zeros(in.Type, channels)
		bias.Name, bias.Quantisation = filter.Name+"/bias", productOf(a, b, int(channels))
		inputs[place] = c.tensor(bias)
		c.again(inputs, s.op.Outputs[0], s.biasType(bias.Type)...)
		return c
	},
}

// bias returns the bias of an operator, or an added one of zeros if it has none: CONV_2D needs one in LiteRT.
func (c *change) bias(in, filter, bias *tflite.Tensor, channels int32) int {
	if bias != nil {
		return bias.Index
	}
	t := zeros(in.Type, channels)
	t.Name, t.Quantisation = filter.Name+"/bias", productOf(in, filter, int(channels))
	return c.tensor(t)
}

// zeros returns a bias of zeros for data of a type.
func zeros(data schema.TensorType, channels int32) edit.Tensor {
	t := edit.Tensor{Like: -1, Type: schema.TensorTypeINT32, Shape: []int32{channels}}
	width := 4
	switch data {
	case schema.TensorTypeFLOAT32:
		t.Type = schema.TensorTypeFLOAT32
	case schema.TensorTypeINT16:
		t.Type, width = schema.TensorTypeINT64, 8
	}
	t.Data = make([]byte, width*int(channels))
	return t
}

// productOf returns the quantisation of a sum of products of data and weights, nil for real numbers.
func productOf(data, weights *tflite.Tensor, channels int) *edit.Quantisation {
	p, q := quantisationOf(data), quantisationOf(weights)
	x, _, ok := p.perTensor()
	if !ok || data.Type == schema.TensorTypeFLOAT32 || len(q.scales) != 1 && len(q.scales) != channels {
		return nil
	}
	product := &edit.Quantisation{}
	for _, y := range q.scales {
		product.Scales, product.Zeros = append(product.Scales, x*y), append(product.Zeros, 0)
	}
	return product
}
