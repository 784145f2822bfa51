package transform

import (
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
			if !ok || len(f.out.Shape) != 2 || f.options.KeepNumDims() || !s.hidden(f.out) || !s.readAsRows(f.out) {
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
			if !ok || len(f.out.Shape) <= 2 || !s.hidden(f.out) || !s.readAsRows(f.out) {
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
	c.reshaped = append(c.reshaped, edit.Reshaped{Tensor: f.out.Index, Shape: shape})
	c.again(c.site.op.Inputs, f.out.Index, f.asRows()...)
}

// asRows returns the options with which FULLY_CONNECTED takes and makes rows.
func (f *fullyConnected) asRows() []edit.Option {
	if !f.options.KeepNumDims() {
		return nil
	}
	return []edit.Option{{Field: fullyConnectedKeepDims, Value: 0}}
}

// readAsRows reports whether a tensor is read only as the input of FULLY_CONNECTED without keep_num_dims, so that its
// shape does not matter.
func (s *site) readAsRows(t *tflite.Tensor) bool {
	return s.readBy(t, schema.BuiltinOperatorFULLY_CONNECTED, func(o *tflite.Operator) bool {
		var options schema.FullyConnectedOptions
		return o.Options(schema.BuiltinOptionsFullyConnectedOptions, &options) && !options.KeepNumDims()
	})
}
