package transform

import (
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// slide is the movement of a window over height and width.
type slide struct {
	in, kernel, stride, dilation, out [2]int32
	padding                           schema.Padding
}

// slide returns a random one.
func (d *draft) slide() slide {
	w := slide{padding: some(d, schema.PaddingSAME, schema.PaddingVALID)}
	for i := range 2 {
		w.in[i], w.kernel[i], w.stride[i], w.dilation[i] = d.dim(9), d.dim(4), d.dim(3), 1
		if d.IntN(4) == 0 {
			w.dilation[i] = d.dim(3)
		}
		w.in[i] = max(w.in[i], (w.kernel[i]-1)*w.dilation[i]+1)
	}
	return w.fixed()
}

// fixed returns the window with the size of its output.
func (w slide) fixed() slide {
	for i := range 2 {
		n := w.in[i]
		if w.padding == schema.PaddingVALID {
			n -= (w.kernel[i] - 1) * w.dilation[i]
		}
		w.out[i] = (n + w.stride[i] - 1) / w.stride[i]
	}
	return w
}

// weights are constants with the quantisation of an operator with weights.
type weights struct{ filter, bias, output int }

// weights adds a filter, a bias or none (-1), and an output. The channels are along a dimension of the filter;
// equal gives all of them the same scale, in a table for each channel.
func (d *draft) weights(input int, shape []int32, along int, equal bool, output ...int32) (w weights) {
	x := d.sub.Tensors[input]
	types := map[schema.TensorType][2]schema.TensorType{f32: {f32, f32}, i8: {i8, i32}, i16: {i8, i64}}[x.Type]
	units := shape[along]
	q, b, y := encode.Quantization{}, encode.Quantization{}, encode.Quantization{}
	if x.Type != f32 {
		q = d.channels(units, int32(along), equal)
		spread := float64(x.Quantization.Scales[0]) * float64(q.Scales[0]) * math.Sqrt(float64(elements(shape)/int64(units)))
		y = d.quantum(x.Type)
		y.Scales[0] = float32(spread * math.Exp2(5+2*d.Float64()))
		if x.Type == i8 && (d.plain || d.IntN(2) == 0) {
			// A coarse scale of powers of two, with halves to be rounded.
			x.Quantization.Scales[0], y.Scales[0] = 0.25, 64
			for i := range q.Scales {
				q.Scales[i] = 0.125
			}
		}
		for _, scale := range q.Scales {
			b.Scales, b.Zeros = append(b.Scales, scale*x.Quantization.Scales[0]), append(b.Zeros, 0)
		}
	}
	w.filter = d.constant(types[0], q, d.numbers(types[0], shape...), shape...)
	if w.bias = -1; d.plain || d.IntN(5) > 0 {
		w.bias = d.constant(types[1], b, d.numbers(types[1], units), units)
	}
	w.output = d.tensor(x.Type, y, output...)
	return w
}

// channels returns the quantisation of weights: one scale for all, or one for each channel.
func (d *draft) channels(units, along int32, equal bool) encode.Quantization {
	q := encode.Quantization{Scales: []float32{d.scale()}, Zeros: []int64{0}, Dimension: along}
	if d.plain || !equal && d.IntN(2) == 0 {
		q.Dimension = 0
		return q
	}
	for range units - 1 {
		scale := q.Scales[0]
		if !equal {
			scale *= float32(math.Exp2(d.Float64() - 0.5))
		}
		q.Scales, q.Zeros = append(q.Scales, scale), append(q.Zeros, 0)
	}
	return q
}

// inputs returns the inputs of an operator with weights.
func (w weights) inputs(input int) []int {
	if w.bias < 0 {
		return []int{input, w.filter}
	}
	return []int{input, w.filter, w.bias}
}

// conv adds a CONV_2D, and returns its output.
func (d *draft) conv(input int, w slide, units int32) int {
	x := d.sub.Tensors[input].Shape
	k := d.weights(input, []int32{units, w.kernel[0], w.kernel[1], x[3]}, 0, false, x[0], w.out[0], w.out[1], units)
	return d.operator(schema.BuiltinOperatorCONV_2D, schema.BuiltinOptionsConv2DOptions, optionTable(schema.Conv2DOptionsStart, schema.Conv2DOptionsEnd,
		set(schema.Conv2DOptionsAddPadding, w.padding), set(schema.Conv2DOptionsAddStrideH, w.stride[0]), set(schema.Conv2DOptionsAddStrideW, w.stride[1]),
		set(schema.Conv2DOptionsAddDilationHFactor, w.dilation[0]), set(schema.Conv2DOptionsAddDilationWFactor, w.dilation[1]),
		set(schema.Conv2DOptionsAddFusedActivationFunction, d.activation())), k.output, k.inputs(input)...)
}

// depthwise adds a DEPTHWISE_CONV_2D, and returns its output.
func (d *draft) depthwise(input int, w slide, multiplier int32) int {
	x := d.sub.Tensors[input].Shape
	units := x[3] * multiplier
	k := d.weights(input, []int32{1, w.kernel[0], w.kernel[1], units}, 3, false, x[0], w.out[0], w.out[1], units)
	return d.operator(schema.BuiltinOperatorDEPTHWISE_CONV_2D, schema.BuiltinOptionsDepthwiseConv2DOptions, optionTable(schema.DepthwiseConv2DOptionsStart, schema.DepthwiseConv2DOptionsEnd,
		set(schema.DepthwiseConv2DOptionsAddPadding, w.padding), set(schema.DepthwiseConv2DOptionsAddStrideH, w.stride[0]), set(schema.DepthwiseConv2DOptionsAddStrideW, w.stride[1]),
		set(schema.DepthwiseConv2DOptionsAddDilationHFactor, w.dilation[0]), set(schema.DepthwiseConv2DOptionsAddDilationWFactor, w.dilation[1]),
		set(schema.DepthwiseConv2DOptionsAddDepthMultiplier, multiplier), set(schema.DepthwiseConv2DOptionsAddFusedActivationFunction, d.activation())), k.output, k.inputs(input)...)
}

// pool adds a pool, and returns its output.
func (d *draft) pool(code schema.BuiltinOperator, input int, w slide, activation schema.ActivationFunctionType) int {
	x := d.sub.Tensors[input].Shape
	return d.operator(code, schema.BuiltinOptionsPool2DOptions, optionTable(schema.Pool2DOptionsStart, schema.Pool2DOptionsEnd,
		set(schema.Pool2DOptionsAddPadding, w.padding), set(schema.Pool2DOptionsAddStrideH, w.stride[0]), set(schema.Pool2DOptionsAddStrideW, w.stride[1]),
		set(schema.Pool2DOptionsAddFilterHeight, w.kernel[0]), set(schema.Pool2DOptionsAddFilterWidth, w.kernel[1]),
		set(schema.Pool2DOptionsAddFusedActivationFunction, activation)), d.like(input, x[0], w.out[0], w.out[1], x[3]), input)
}

// connected adds a FULLY_CONNECTED, and returns its output.
func (d *draft) connected(input int, depth, units int32, keep, equal bool) int {
	x := d.sub.Tensors[input].Shape
	shape := []int32{int32(elements(x)) / depth, units}
	if keep {
		shape = append(slices.Clone(x[:len(x)-1]), units)
	}
	k := d.weights(input, []int32{units, depth}, 0, equal, shape...)
	return d.operator(schema.BuiltinOperatorFULLY_CONNECTED, schema.BuiltinOptionsFullyConnectedOptions, optionTable(schema.FullyConnectedOptionsStart, schema.FullyConnectedOptionsEnd,
		set(schema.FullyConnectedOptionsAddKeepNumDims, keep), set(schema.FullyConnectedOptionsAddFusedActivationFunction, d.activation())), k.output, k.inputs(input)...)
}
