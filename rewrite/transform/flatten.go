package transform

import "github.com/tflarena/tflarena/schema"

// flattensForFullyConnected removes a RESHAPE to two dimensions before FULLY_CONNECTED, which takes its input as
// rows of the weights' depth by itself.
var flattensForFullyConnected = Rule{
	Name: "flatten-for-fully-connected", Purpose: Work, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorRESHAPE},
	Condition: "its output is read as input by FULLY_CONNECTED without keep_num_dims alone",
	Result:    "removed; FULLY_CONNECTED reads its input",
	Reason:    "FULLY_CONNECTED without keep_num_dims takes an input of any shape as rows of the weights' depth",
	Exact:     everywhere,
	match: func(s *site) *change {
		in, out := s.in(0), s.out()
		if !static(in, out) || !s.replaceable(out, in) || len(out.Consumers) == 0 {
			return nil
		}
		for _, i := range out.Consumers {
			o := &s.sub.Operators[i]
			var options schema.FullyConnectedOptions
			if s.m.OperatorCodes[o.Code].Builtin != schema.BuiltinOperatorFULLY_CONNECTED || o.Inputs[0] != out.Index ||
				!o.Options(schema.BuiltinOptionsFullyConnectedOptions, &options) || options.KeepNumDims() {
				return nil
			}
			for _, t := range o.Inputs[1:] {
				if t == out.Index {
					return nil
				}
			}
		}
		c := s.change()
		c.instead[out.Index] = in.Index
		return c
	},
}
