package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// zeroBias gives an operator without a bias one of zeros.
var zeroBias = Rule{
	Name: "zero-bias", Purpose: Repair,
	Operators: []schema.BuiltinOperator{
		schema.BuiltinOperatorCONV_2D, schema.BuiltinOperatorDEPTHWISE_CONV_2D, schema.BuiltinOperatorTRANSPOSE_CONV,
		schema.BuiltinOperatorSVDF, schema.BuiltinOperatorFULLY_CONNECTED,
	},
	Condition: "no bias", Result: "the same operator with a bias of zeros", Reason: "adding 0 changes no sum", Exact: everywhere,
	match: func(s *site) *change {
		place, data := 2, 0
		if s.code == schema.BuiltinOperatorTRANSPOSE_CONV {
			place, data = 3, 2
		} else if s.code == schema.BuiltinOperatorSVDF {
			place = 3
		}
		in, filter := s.in(data), s.in(1)
		if s.in(place) != nil || len(s.op.Inputs) < place || !static(in, filter, s.out()) || len(filter.Shape) < 2 {
			return nil
		}
		channels := filter.Shape[0]
		switch s.code {
		case schema.BuiltinOperatorDEPTHWISE_CONV_2D:
			channels = filter.Shape[len(filter.Shape)-1]
		case schema.BuiltinOperatorSVDF:
			out := s.out().Shape
			if len(out) == 0 {
				return nil
			}
			channels = out[len(out)-1]
		}
		c := s.change()
		inputs := slices.Clone(s.op.Inputs)
		if len(inputs) == place {
			inputs = append(inputs, -1)
		}
		inputs[place] = c.zeros(in, filter, channels)
		c.again(inputs, s.op.Outputs[0])
		return c
	},
}

// bias returns the bias of an operator, or an added one of zeros if it has none: CONV_2D needs one in LiteRT.
func (c *change) bias(in, filter, bias *tflite.Tensor, channels int32) int {
	if bias != nil {
		return bias.Index
	}
	return c.zeros(in, filter, channels)
}

// zeros adds a bias of zeros for an input and a filter.
func (c *change) zeros(in, filter *tflite.Tensor, channels int32) int {
	t := edit.Tensor{Name: filter.Name + "/bias", Like: -1, Type: schema.TensorTypeINT32, Shape: []int32{channels}}
	width := 4
	switch in.Type {
	case schema.TensorTypeFLOAT32:
		t.Type = schema.TensorTypeFLOAT32
	case schema.TensorTypeINT16:
		t.Type, width = schema.TensorTypeINT64, 8
	}
	t.Data = make([]byte, width*int(channels))
	p, q := quantisationOf(in), quantisationOf(filter)
	if x, _, ok := p.perTensor(); ok && in.Type != schema.TensorTypeFLOAT32 && (len(q.scales) == 1 || len(q.scales) == int(channels)) {
		t.Quantisation = &edit.Quantisation{}
		for _, y := range q.scales {
			t.Quantisation.Scales = append(t.Quantisation.Scales, x*y)
			t.Quantisation.Zeros = append(t.Quantisation.Zeros, 0)
		}
	}
	return c.tensor(t)
}
