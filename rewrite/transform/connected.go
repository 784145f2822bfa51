package transform

import (
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
)

// connectsByPixel computes a FULLY_CONNECTED on INT16 with a scale for each channel as CONV_2D of one pixel.
var connectsByPixel = Rule{
	Name: "int16-fully-connected-to-conv", Purpose: Repairs, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorFULLY_CONNECTED},
	Condition: "INT16 with zero points of 0, constant INT8 weights and a scale for each output channel",
	Result:    "CONV_2D with a window of one pixel between RESHAPE",
	Reason:    "the same products are added and scaled by the same multipliers",
	Exact:     microAlone,
	match: func(s *site) *change {
		in, filter, bias, out := s.in(0), s.in(1), s.in(2), s.out()
		var options schema.FullyConnectedOptions
		if !static(in, filter, out) || len(filter.Shape) != 2 || !s.stored(filter) || in.Type != schema.TensorTypeINT16 || out.Type != in.Type ||
			filter.Type != schema.TensorTypeINT8 || !s.op.Options(schema.BuiltinOptionsFullyConnectedOptions, &options) {
			return nil
		}
		p, q, r := quantisationOf(in), quantisationOf(filter), quantisationOf(out)
		units, depth := filter.Shape[0], filter.Shape[1]
		rows := int32(elements(in.Shape) / int64(depth))
		if !p.symmetric() || !q.symmetric() || !r.symmetric() || len(q.scales) < 2 || q.dimension != 0 || q.details || len(out.Shape) == 0 ||
			elements(out.Shape) != int64(rows)*int64(units) || elements(in.Shape) != int64(rows)*int64(depth) {
			return nil
		}
		c := s.change()
		inputs := []int{c.shaped(in, rows, 1, 1, depth), c.shaped(filter, units, 1, 1, depth)}
		if bias != nil {
			inputs = append(inputs, bias.Index)
		}
		c.into(out, []int32{rows, 1, 1, units}, func(y int) {
			c.add(schema.BuiltinOperatorCONV_2D, inputs, y, append([]edit.Option{
				{Field: windowPadding, Value: int64(schema.PaddingVALID)},
				{Field: windowStrideW, Value: 1},
				{Field: windowStrideH, Value: 1},
				{Field: convActivation, Value: int64(options.FusedActivationFunction())},
			}, convBiasType(&options)...)...)
		})
		return c
	},
}

// convBiasType returns the type of the bias in the options of FULLY_CONNECTED as an option of CONV_2D.
func convBiasType(o *schema.FullyConnectedOptions) []edit.Option {
	if o.QuantizedBiasType() == 0 {
		return nil
	}
	return []edit.Option{{Field: convBias, Value: int64(o.QuantizedBiasType())}}
}

// connectsRows gives FULLY_CONNECTED an output of two dimensions.
var connectsRows = Rule{
	Name: "fully-connected-rows", Purpose: Repairs, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorFULLY_CONNECTED},
	Condition: "an output without two dimensions", Result: "FULLY_CONNECTED with an output [rows, channels], and RESHAPE",
	Reason: "each row is multiplied by itself", Exact: everywhere,
	match: func(s *site) *change {
		in, filter, out := s.in(0), s.in(1), s.out()
		var options schema.FullyConnectedOptions
		if !static(in, filter, out) || len(filter.Shape) != 2 || len(out.Shape) == 2 || len(out.Shape) == 0 ||
			!s.op.Options(schema.BuiltinOptionsFullyConnectedOptions, &options) {
			return nil
		}
		units, depth := filter.Shape[0], filter.Shape[1]
		rows := int32(elements(in.Shape) / int64(depth))
		if elements(out.Shape) != int64(rows)*int64(units) {
			return nil
		}
		c := s.change()
		c.into(out, []int32{rows, units}, func(y int) {
			c.again(s.op.Inputs, y, edit.Option{Field: fullyConnectedKeepDims, Value: 0})
		})
		return c
	},
}
