package transform

import (
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// These rules compute FULLY_CONNECTED as CONV_2D of single pixels. Its kernel keeps no sums of the weights on MVE, and takes
// INT16 with a scale for each channel.
var (
	fullyConnectedToConv = Rule{
		Name: "fully-connected-to-conv", Purpose: Memory, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorFULLY_CONNECTED},
		Condition: "constant weights, FLOAT32, or INT8 with zero points of 0",
		Result:    asPixels, Reason: convToFullyConnected.Reason, Exact: convToFullyConnected.Exact,
		match: func(s *site) *change {
			f, ok := s.fullyConnected()
			if !ok || !f.constants(s) || !sameProducts(f.in, f.filter, f.bias, f.out) {
				return nil
			}
			return s.asConv(&f)
		},
	}
	int16FullyConnectedToConv = Rule{
		Name: "int16-fully-connected-to-conv", Purpose: Repairs, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorFULLY_CONNECTED},
		Condition: "INT16 with zero points of 0, constant INT8 weights and a scale for each output channel",
		Result:    asPixels, Reason: "the same products are added and scaled by the same multipliers", Exact: microAlone,
		match: func(s *site) *change {
			f, ok := s.fullyConnected()
			if !ok || !f.constants(s) || f.in.Type != schema.TensorTypeINT16 || f.filter.Type != schema.TensorTypeINT8 {
				return nil
			}
			p, q, r := quantisationOf(f.in), quantisationOf(f.filter), quantisationOf(f.out)
			if !p.symmetric() || !q.symmetric() || !r.symmetric() || len(q.scales) < 2 || q.dimension != 0 || q.details {
				return nil
			}
			return s.asConv(&f)
		},
	}
)

const asPixels = "CONV_2D of 1×1 with the same weights, between RESHAPE unless it has keep_num_dims and rank 4"

// asConv returns the change to a CONV_2D of single pixels.
func (s *site) asConv(f *fullyConnected) *change {
	if f.options.WeightsFormat() != schema.FullyConnectedOptionsWeightsFormatDEFAULT {
		return nil
	}
	c := s.change()
	from, to := f.in.Index, f.out.Shape
	if !f.options.KeepNumDims() || len(f.in.Shape) != 4 {
		// Even from the same shape: another rule may give an operator that takes any shape a tensor of another one.
		from, to = c.reshape(from, f.in, f.rows, 1, 1, f.depth), []int32{f.rows, 1, 1, f.units}
	}
	options := append(windowOf(schema.PaddingVALID, 1, 1), edit.Option{Field: convActivation, Value: int64(f.options.FusedActivationFunction())})
	if kind := f.options.QuantizedBiasType(); kind != 0 {
		options = append(options, edit.Option{Field: convBias, Value: int64(kind)})
	}
	inputs := []int{from, c.shaped(f.filter, f.units, 1, 1, f.depth), c.bias(f.in, f.filter, f.bias, f.units)}
	c.into(f.out, to, func(y int) { c.add(schema.BuiltinOperatorCONV_2D, inputs, y, options...) })
	return c
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
