package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
)

// int8Weights stores the weights of an operator on INT8 as INT8 instead of INT4.
var int8Weights = Rule{
	Name: "int8-weights", Purpose: Repairs,
	Operators: []schema.BuiltinOperator{schema.BuiltinOperatorCONV_2D, schema.BuiltinOperatorDEPTHWISE_CONV_2D, schema.BuiltinOperatorFULLY_CONNECTED},
	Condition: "INT8 with constant INT4 weights", Result: "the same operator with the same weights as INT8",
	Reason: "the numbers are the same", Exact: everywhere,
	match: func(s *site) *change {
		in, filter, out := s.in(0), s.in(1), s.out()
		if !static(in, filter, out) || in.Type != schema.TensorTypeINT8 || filter.Type != schema.TensorTypeINT4 || !s.stored(filter) {
			return nil
		}
		q := quantisationOf(filter)
		t := edit.Tensor{
			Name: filter.Name + "/int8", Like: -1, Type: schema.TensorTypeINT8, Shape: filter.Shape, Quantisation: q.copied(filter.Shape),
			Data: make([]byte, elements(filter.Shape)),
		}
		if t.Quantisation == nil {
			return nil
		}
		packed := s.m.Buffer(filter).Data
		for i := range t.Data {
			t.Data[i] = byte(int8(packed[i/2]<<(4-4*(i%2))) >> 4)
		}
		c := s.change()
		inputs := slices.Clone(s.op.Inputs)
		inputs[1] = c.tensor(t)
		c.again(inputs, out.Index)
		return c
	},
}
