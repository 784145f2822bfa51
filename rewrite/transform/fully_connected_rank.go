package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// These rules change the rank of tensors between FULLY_CONNECTED operators. CMSIS-NN computes an output of more than two
// dimensions by another function, which requests other memory.
var (
	fullyConnectedRank4 = Rule{
		Name: "fully-connected-rank-4", Purpose: Memory, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorFULLY_CONNECTED},
		Condition: "an output of rank 2 that is read only by FULLY_CONNECTED without keep_num_dims",
		Result:    "the same operator with an output of rank 4", Reason: connectedRank, Exact: everywhere,
		match: func(s *site) *change {
			f, ok := s.fullyConnected()
			if !ok || len(f.out.Shape) != 2 || f.options.KeepNumDims() || !s.onlyConnected(f.out) {
				return nil
			}
			c := s.change()
			c.connectedAgain(&f, 1, 1, f.rows, f.units)
			return c
		},
	}
	fullyConnectedRank2 = Rule{
		Name: "fully-connected-rank-2", Purpose: Memory, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorFULLY_CONNECTED},
		Condition: "an output of more than 2 dimensions that is read only by FULLY_CONNECTED without keep_num_dims",
		Result:    "the same operator with an output of rank 2", Reason: connectedRank, Exact: everywhere,
		match: func(s *site) *change {
			f, ok := s.fullyConnected()
			if !ok || len(f.out.Shape) <= 2 || !s.onlyConnected(f.out) {
				return nil
			}
			c := s.change()
			c.connectedAgain(&f, f.rows, f.units)
			return c
		},
	}
)

const connectedRank = "FULLY_CONNECTED without keep_num_dims takes an input of any shape as rows of the weights' depth, and the output has the same rows"

// connectedAgain adds the FULLY_CONNECTED of the site without keep_num_dims and gives its output another shape.
func (c *change) connectedAgain(f *fullyConnected, shape ...int32) {
	var options []edit.Option
	if f.options.KeepNumDims() {
		options = append(options, edit.Option{Field: fullyConnectedKeepDims, Value: 0})
	}
	c.reshapeInPlace(f.out, shape...)
	c.again(c.site.op.Inputs, f.out.Index, options...)
}

// onlyConnected reports whether a tensor is read only as the input of FULLY_CONNECTED without keep_num_dims, so that its
// shape does not matter.
func (s *site) onlyConnected(t *tflite.Tensor) bool {
	return s.hidden(t) && s.readers(t.Index, schema.BuiltinOperatorFULLY_CONNECTED) && !slices.ContainsFunc(t.Consumers, func(i int) bool {
		o := &s.sub.Operators[i]
		var options schema.FullyConnectedOptions
		return o.Inputs[0] != t.Index || slices.Contains(o.Inputs[1:], t.Index) ||
			!o.Options(schema.BuiltinOptionsFullyConnectedOptions, &options) || options.KeepNumDims()
	})
}

// readers reports whether all readers of a tensor are of an operator code, and there are some.
func (s *site) readers(t int, code schema.BuiltinOperator) bool {
	list := s.sub.Tensors[t].Consumers
	return len(list) > 0 && !slices.ContainsFunc(list, func(i int) bool { return s.m.OperatorCodes[s.sub.Operators[i].Code].Builtin != code })
}
