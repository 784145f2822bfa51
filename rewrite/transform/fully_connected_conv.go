package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// fullyConnectedToConv replaces FULLY_CONNECTED by a CONV_2D whose windows are single pixels. Its kernel keeps no
// sums of the weights on MVE.
var fullyConnectedToConv = Rule{
	Name: "fully-connected-to-conv", Purpose: Memory, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorFULLY_CONNECTED},
	Condition: "constant weights, FLOAT32, or INT8 with zero points of 0",
	Result:    "CONV_2D of 1×1 with the same weights, between RESHAPE unless it has keep_num_dims and rank 4",
	Reason:    convToFullyConnected.Reason, Exact: convToFullyConnected.Exact,
	match: func(s *site) *change {
		f, ok := s.fullyConnected()
		if !ok || !f.constants(s) || f.options.WeightsFormat() != schema.FullyConnectedOptionsWeightsFormatDEFAULT ||
			!sameProducts(f.in, f.filter, f.bias, f.out) {
			return nil
		}
		c := s.change()
		from, to := f.in.Index, f.out.Index
		pixels := f.options.KeepNumDims() && len(f.in.Shape) == 4 && len(f.out.Shape) == 4 && slices.Equal(f.in.Shape[:3], f.out.Shape[:3])
		if !pixels {
			from, to = c.reshape(f.in.Index, f.in, f.rows, 1, 1, f.depth), c.like(f.out, f.rows, 1, 1, f.units)
		}
		c.add(schema.BuiltinOperatorCONV_2D, []int{from, c.constant(f.filter, f.units, 1, 1, f.depth), c.bias(f.in, f.filter, f.bias, f.units)}, to,
			edit.Option{Field: windowPadding, Value: int64(schema.PaddingVALID)},
			edit.Option{Field: windowStrideW, Value: 1}, edit.Option{Field: windowStrideH, Value: 1},
			edit.Option{Field: convActivation, Value: int64(f.options.FusedActivationFunction())})
		if !pixels {
			c.reshapeTo(to, f.out.Index, f.out.Shape...)
		}
		return c
	},
}

// fullyConnected holds the operands of a FULLY_CONNECTED.
type fullyConnected struct {
	in, filter, bias, out *tflite.Tensor
	options               schema.FullyConnectedOptions
	// rows is the number of rows, depth the length of an input row, and units the length of an output row.
	rows, depth, units int32
}

// fullyConnected returns the operands of the site, or false unless it is a FULLY_CONNECTED with consistent shapes.
func (s *site) fullyConnected() (f fullyConnected, ok bool) {
	f.in, f.filter, f.bias, f.out = s.in(0), s.in(1), s.in(2), s.out()
	if s.code != schema.BuiltinOperatorFULLY_CONNECTED || !static(f.in, f.filter, f.out) || !sized(f.in) || f.out.Type != f.in.Type || len(f.filter.Shape) != 2 ||
		len(f.in.Shape) == 0 || len(f.out.Shape) == 0 || !s.op.Options(schema.BuiltinOptionsFullyConnectedOptions, &f.options) {
		return f, false
	}
	f.units, f.depth = f.filter.Shape[0], f.filter.Shape[1]
	rows := elements(f.in.Shape) / int64(f.depth)
	f.rows = int32(rows)
	last := f.out.Shape[len(f.out.Shape)-1]
	return f, rows*int64(f.depth) == elements(f.in.Shape) && last == f.units && elements(f.out.Shape) == rows*int64(f.units) &&
		int64(f.rows) == rows && (!f.options.KeepNumDims() || f.in.Shape[len(f.in.Shape)-1] == f.depth)
}

// constants reports whether weights and bias are constants, and the weights are in a buffer that others can share.
func (f *fullyConnected) constants(s *site) bool {
	return s.stored(f.filter) && (f.bias == nil || f.bias.Constant)
}
