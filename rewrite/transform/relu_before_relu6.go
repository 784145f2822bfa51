package transform

import (
	"github.com/tflarena/tflarena/schema"
)

// reluBeforeRELU6 computes a RELU6 between different quantisations as RELU, which rescales, and RELU6.
var reluBeforeRELU6 = Rule{
	Name: "relu-before-relu6", Purpose: Repairs, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorRELU6},
	Condition: "INT8 or INT16, and input and output quantised differently",
	Result:    "RELU, whose output has the quantisation of the output, and RELU6",
	Reason:    "RELU rescales with the same multiplier and limits the result from below, RELU6 from above",
	Exact:     everywhere,
	match: func(s *site) *change {
		in, out := s.in(0), s.out()
		if !static(in, out) || in.Type != out.Type || sameQuantisation(in, out) || in.Type != schema.TensorTypeINT8 && in.Type != schema.TensorTypeINT16 {
			return nil
		}
		c := s.change()
		rescaled := c.like(out, out.Shape...)
		c.add(schema.BuiltinOperatorRELU, []int{in.Index}, rescaled)
		c.again([]int{rescaled}, out.Index)
		return c
	},
}
