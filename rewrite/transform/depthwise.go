package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// These rules exchange CONV_2D and DEPTHWISE_CONV_2D of one input channel. Their kernels request different scratch.
var (
	depthwiseToConv = Rule{
		Name: "depthwise-to-conv", Purpose: Memory, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorDEPTHWISE_CONV_2D},
		Condition: "one input channel; " + constantProducts, Result: "CONV_2D with the filter transposed", Reason: oneChannel, Exact: unoptimised,
		match: func(s *site) *change {
			var options schema.DepthwiseConv2DOptions
			f, ok := s.oneChannel(3)
			if !ok || !s.op.Options(schema.BuiltinOptionsDepthwiseConv2DOptions, &options) {
				return nil
			}
			c := s.change()
			c.add(schema.BuiltinOperatorCONV_2D, f.inputs(c, 0, f.units(), f.filter.Shape[1], f.filter.Shape[2], 1), f.out.Index,
				append(windowOf(f.window.Padding, f.window.Stride[1], f.window.Stride[0]), edit.Option{Field: convActivation, Value: int64(options.FusedActivationFunction())},
					edit.Option{Field: convDilationW, Value: f.window.Dilation[1]}, edit.Option{Field: convDilationH, Value: f.window.Dilation[0]})...)
			return c
		},
	}
	convToDepthwise = Rule{
		Name: "conv-to-depthwise", Purpose: Memory, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorCONV_2D},
		Condition: "one input channel; " + constantProducts, Result: "DEPTHWISE_CONV_2D with the filter transposed", Reason: oneChannel, Exact: unoptimised,
		match: func(s *site) *change {
			var options schema.Conv2DOptions
			f, ok := s.oneChannel(0)
			if !ok || !s.op.Options(schema.BuiltinOptionsConv2DOptions, &options) {
				return nil
			}
			c := s.change()
			c.add(schema.BuiltinOperatorDEPTHWISE_CONV_2D, f.inputs(c, 3, 1, f.filter.Shape[1], f.filter.Shape[2], f.units()), f.out.Index,
				append(windowOf(f.window.Padding, f.window.Stride[1], f.window.Stride[0]), edit.Option{Field: depthwiseMultiplier, Value: int64(f.units())},
					edit.Option{Field: depthwiseActivation, Value: int64(options.FusedActivationFunction())},
					edit.Option{Field: depthwiseDilationW, Value: f.window.Dilation[1]}, edit.Option{Field: depthwiseDilationH, Value: f.window.Dilation[0]})...)
			return c
		},
	}
)

const (
	constantProducts = "constant weights and bias, FLOAT32, or INT8 with zero points of 0"
	oneChannel       = "the products of an output are the same and are added in the same order"
)

// singleChannel holds the operands of a convolution of one input channel. Dimension along of the filter has the output
// channels: 0 for CONV_2D, 3 for DEPTHWISE_CONV_2D.
type singleChannel struct {
	in, filter, bias, out *tflite.Tensor
	window                op.Window
	along                 int
	data                  []byte
	scales                quantisation
}

// oneChannel returns the operands of the site, or false.
func (s *site) oneChannel(along int) (f singleChannel, ok bool) {
	f.in, f.filter, f.bias, f.out, f.along = s.in(0), s.in(1), s.in(2), s.out(), along
	if f.window, ok = op.WindowOf(s.m, s.sub, s.op); !ok || !static(f.in, f.filter, f.out) || len(f.in.Shape) != 4 || len(f.filter.Shape) != 4 ||
		len(f.out.Shape) != 4 || !s.stored(f.filter) || f.bias != nil && !f.bias.Constant {
		return f, false
	}
	f.data, f.scales = s.m.Buffer(f.filter).Data, quantisationOf(f.filter)
	return f, f.in.Shape[3] == 1 && f.filter.Shape[3-along] == 1 && f.out.Shape[3] == f.units() && plainProducts(f.in, f.filter, f.bias, f.out, along)
}

// units returns the number of output channels.
func (f *singleChannel) units() int32 { return f.filter.Shape[f.along] }

// inputs returns the inputs of the new operator, whose filter has a shape with the channels along a dimension.
func (f *singleChannel) inputs(c *change, along int, shape ...int32) []int {
	t := edit.Tensor{Name: c.name(f.filter), Like: -1, Type: f.filter.Type, Shape: shape}
	pixels, units, width := int(elements(f.filter.Shape))/int(f.units()), int(f.units()), tflite.ElementBits(f.filter.Type)/8
	if along == 0 {
		t.Data = transposed(f.data, pixels, units, width)
	} else {
		t.Data = transposed(f.data, units, pixels, width)
	}
	if q := &f.scales; len(q.scales) > 0 {
		t.Quantisation = &edit.Quantisation{Scales: q.scales, Zeros: make([]int64, len(q.scales)), Dimension: along}
	}
	return []int{f.in.Index, c.tensor(t), c.bias(f.in, f.filter, f.bias, f.units())}
}

// transposed returns a matrix of rows with its elements, width bytes each, column by column.
func transposed(data []byte, rows, columns, width int) []byte {
	list := make([]byte, 0, len(data))
	for j := range columns {
		for i := range rows {
			at := (i*columns + j) * width
			list = append(list, data[at:at+width]...)
		}
	}
	return slices.Clip(list)
}
