package oneop

import (
	"math"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// Convolutions, pools, matrix products and recurrent cells.

// A window is the movement of a filter or a pool over rows or columns.
type window struct {
	in, filter, stride, dilation, out int32
}

// window draws one. deconv is for TRANSPOSE_CONV.
func (d *drawn) window(same bool) window {
	w := window{in: d.dim() + d.Int32N(5), filter: 1 + d.Int32N(4), stride: some[int32](d, 1, 1, 1, 2, 2, 3), dilation: 1}
	if d.chance(4) {
		w.dilation = 1 + d.Int32N(3)
	}
	w.fix(same)
	return w
}

// fix computes the output, after limiting the filter to the size of the input.
func (w *window) fix(same bool) {
	if same {
		w.out = (w.in + w.stride - 1) / w.stride
		return
	}
	for (w.filter-1)*w.dilation+1 > w.in {
		w.in++
	}
	w.out = (w.in - (w.filter-1)*w.dilation - 1 + w.stride) / w.stride
}

func padding(same bool) schema.Padding {
	if same {
		return schema.PaddingSAME
	}
	return schema.PaddingVALID
}

// weighted are the types of an operator with weights.
type weighted struct {
	input, filter, bias schema.TensorType
	x, y                encode.Quantization
}

// weighted draws the types and adds no tensor.
func (d *drawn) weighted() weighted {
	t := some(d, f32, i8, i8, i8, i16)
	w := weighted{input: t, filter: t, bias: t, x: d.usual(t), y: d.usual(t)}
	switch t {
	case i8:
		w.bias = i32
		if d.chance(5) {
			w.filter = i4
		}
	case i16:
		w.filter, w.bias = i8, i64
		if d.chance(5) {
			w.bias, d.shortBias = i32, true
		}
	}
	if d.chance(30) {
		w.input = u8
		w.x, w.y = d.usual(u8), d.usual(u8)
		w.filter, w.bias = u8, i32
	}
	if d.chance(40) { // weights are compressed, activations are not
		w.input, w.filter, w.bias = f32, i8, f32
		w.x, w.y = none, none
	}
	return w
}

// weights adds a filter with a scale for each index of a dimension, or one, and sets the scale of the
// output so that most of its range is used.
func (d *drawn) weights(w *weighted, along int, depth int32, shape ...int32) encode.Quantization {
	q := encode.Quantization{}
	if w.filter != f32 {
		if d.chance(3) {
			q = quantum(math.Exp2(-8+d.Float64()*3), 0)
			if w.filter == u8 || d.chance(20) {
				q.Zeros[0] = int64(d.IntN(20))
			}
		} else {
			q = d.channels(w.filter, shape, along)
		}
		if len(w.x.Scales) > 0 && len(w.y.Scales) > 0 {
			spread := map[schema.TensorType]float64{i4: 4, i8: 73, u8: 73}[w.filter]
			y := float64(w.x.Scales[0]) * float64(q.Scales[0]) * spread * math.Sqrt(float64(depth)) * math.Exp2(d.Float64()*3-1)
			w.y.Scales[0] = float32(y)
		}
	}
	d.param(w.filter, shape, q, nil)
	return q
}

// addBias adds a bias, or omits it.
func (d *drawn) addBias(w weighted, filter encode.Quantization, n int32) {
	switch d.IntN(6) {
	case 0:
		return
	case 1:
		d.absent()
		return
	}
	q := encode.Quantization{}
	if len(w.x.Scales) > 0 {
		for i := range filter.Scales {
			q.Scales, q.Zeros = append(q.Scales, w.x.Scales[0]*filter.Scales[i]), append(q.Zeros, 0)
		}
	}
	d.param(w.bias, []int32{n}, q, nil)
}

// biasType is the option for the type of an INT32 bias in an INT16 model.
func (w weighted) biasType() schema.TensorType {
	if w.input == i16 && w.bias == i32 {
		return i32
	}
	return f32
}

func convolution(d *drawn) {
	same := d.chance(2)
	h, v := d.window(same), d.window(same)
	if d.chance(6) {
		h = window{in: 1, filter: 1, stride: 1, dilation: 1, out: 1}
	}
	w := d.weighted()
	batch, groups := some[int32](d, 1, 1, 1, 2, 3), int32(1)
	if d.chance(4) {
		groups = 1 + d.Int32N(4)
	}
	c, o := groups*(1+d.Int32N(6)), groups*(1+d.Int32N(6))
	d.options(schema.BuiltinOptionsConv2DOptions, schema.Conv2DOptionsStart, schema.Conv2DOptionsEnd,
		set(schema.Conv2DOptionsAddPadding, padding(same)), set(schema.Conv2DOptionsAddStrideH, h.stride), set(schema.Conv2DOptionsAddStrideW, v.stride),
		set(schema.Conv2DOptionsAddDilationHFactor, h.dilation), set(schema.Conv2DOptionsAddDilationWFactor, v.dilation),
		set(schema.Conv2DOptionsAddFusedActivationFunction, d.activation()), set(schema.Conv2DOptionsAddQuantizedBiasType, w.biasType()))
	d.in(w.input, []int32{batch, h.in, v.in, c}, w.x, nil)
	q := d.weights(&w, 0, h.filter*v.filter*c/groups, o, h.filter, v.filter, c/groups)
	d.addBias(w, q, o)
	d.out(w.input, []int32{batch, h.out, v.out, o}, w.y)
}

func depthwise(d *drawn) {
	same := d.chance(2)
	h, v := d.window(same), d.window(same)
	w := d.weighted()
	batch, c, multiplier := some[int32](d, 1, 1, 1, 2, 3), 1+d.Int32N(8), some[int32](d, 1, 1, 1, 2, 3)
	d.options(schema.BuiltinOptionsDepthwiseConv2DOptions, schema.DepthwiseConv2DOptionsStart, schema.DepthwiseConv2DOptionsEnd,
		set(schema.DepthwiseConv2DOptionsAddPadding, padding(same)), set(schema.DepthwiseConv2DOptionsAddStrideH, h.stride), set(schema.DepthwiseConv2DOptionsAddStrideW, v.stride),
		set(schema.DepthwiseConv2DOptionsAddDilationHFactor, h.dilation), set(schema.DepthwiseConv2DOptionsAddDilationWFactor, v.dilation),
		set(schema.DepthwiseConv2DOptionsAddFusedActivationFunction, d.activation()), set(schema.DepthwiseConv2DOptionsAddDepthMultiplier, multiplier))
	d.in(w.input, []int32{batch, h.in, v.in, c}, w.x, nil)
	q := d.weights(&w, 3, h.filter*v.filter, 1, h.filter, v.filter, c*multiplier)
	d.addBias(w, q, c*multiplier)
	d.out(w.input, []int32{batch, h.out, v.out, c * multiplier}, w.y)
}

func transposeConvolution(d *drawn) {
	same := d.chance(2)
	h, v := d.window(same), d.window(same)
	for _, w := range []*window{&h, &v} {
		w.dilation = 1
		w.fix(same)
		if !same && d.chance(6) {
			w.in += d.Int32N(w.stride + 1) // a larger output
		}
	}
	w := d.weighted()
	batch, c, o := some[int32](d, 1, 1, 1, 2, 3), 1+d.Int32N(6), 1+d.Int32N(6)
	d.options(schema.BuiltinOptionsTransposeConvOptions, schema.TransposeConvOptionsStart, schema.TransposeConvOptionsEnd,
		set(schema.TransposeConvOptionsAddPadding, padding(same)), set(schema.TransposeConvOptionsAddStrideH, h.stride), set(schema.TransposeConvOptionsAddStrideW, v.stride),
		set(schema.TransposeConvOptionsAddFusedActivationFunction, d.activation()), set(schema.TransposeConvOptionsAddQuantizedBiasType, w.biasType()))
	shape := []int32{batch, h.in, v.in, o}
	d.numbers(shape...)
	q := d.weights(&w, 0, h.filter*v.filter*c/(h.stride*v.stride)+1, o, h.filter, v.filter, c)
	d.in(w.input, []int32{batch, h.out, v.out, c}, w.x, nil)
	d.addBias(w, q, o)
	d.out(w.input, shape, w.y)
}

func fullyConnected(d *drawn) {
	w := d.weighted()
	depth, o, keep := 1+d.Int32N(40), 1+d.Int32N(12), d.chance(2)
	shape := d.shape(d.rank(1))
	rows := int32(size(shape[:len(shape)-1]))
	shape[len(shape)-1] = depth
	to := []int32{rows, o}
	if keep {
		to = append(append([]int32{}, shape[:len(shape)-1]...), o)
	} else if d.chance(3) && len(shape) > 2 { // more than a row is one
		depth *= shape[len(shape)-2]
		to[0] /= shape[len(shape)-2]
	}
	d.options(schema.BuiltinOptionsFullyConnectedOptions, schema.FullyConnectedOptionsStart, schema.FullyConnectedOptionsEnd,
		set(schema.FullyConnectedOptionsAddFusedActivationFunction, d.activation()), set(schema.FullyConnectedOptionsAddKeepNumDims, keep),
		set(schema.FullyConnectedOptionsAddQuantizedBiasType, w.biasType()))
	d.in(w.input, shape, w.x, nil)
	q := d.weights(&w, 0, depth, o, depth)
	d.addBias(w, q, o)
	d.out(w.input, to, w.y)
}

func batchMatmul(d *drawn) {
	t := d.kind()
	m, k, n := d.dim(), d.dim(), d.dim()
	x, y := d.chance(2), d.chance(2)
	batches := d.broadcasts(2)
	for len(batches[2]) > 4 {
		batches = d.broadcasts(2)
	}
	left, right := []int32{m, k}, []int32{k, n}
	if x {
		left = []int32{k, m}
	}
	if y {
		right = []int32{n, k}
	}
	d.options(schema.BuiltinOptionsBatchMatMulOptions, schema.BatchMatMulOptionsStart, schema.BatchMatMulOptionsEnd,
		set(schema.BatchMatMulOptionsAddAdjX, x), set(schema.BatchMatMulOptionsAddAdjY, y))
	a, b, to := d.usual(t), d.usual(t), d.usual(t)
	if len(a.Scales) > 0 && len(to.Scales) > 0 && len(b.Scales) > 0 {
		spread := map[schema.TensorType]float64{i16: 18000}[t]
		to.Scales[0] = float32(float64(a.Scales[0]) * float64(b.Scales[0]) * max(spread, 73) * math.Sqrt(float64(k)) * math.Exp2(d.Float64()*3-1))
	}
	d.in(t, append(append([]int32{}, batches[0]...), left...), a, nil)
	d.in(t, append(append([]int32{}, batches[1]...), right...), b, nil)
	d.out(t, append(append([]int32{}, batches[2]...), m, n), to)
}

func pool(d *drawn) {
	same := d.chance(2)
	h, v := d.window(same), d.window(same)
	for _, w := range []*window{&h, &v} {
		w.dilation = 1
		w.fix(same)
	}
	t := some(d, f32, i8, i8, i16, i16, u8)
	if d.op.Builtin == schema.BuiltinOperatorL2_POOL_2D && !d.chance(6) {
		t = f32
	}
	batch, c := some[int32](d, 1, 1, 2, 3), 1+d.Int32N(9)
	d.options(schema.BuiltinOptionsPool2DOptions, schema.Pool2DOptionsStart, schema.Pool2DOptionsEnd,
		set(schema.Pool2DOptionsAddPadding, padding(same)), set(schema.Pool2DOptionsAddStrideH, h.stride), set(schema.Pool2DOptionsAddStrideW, v.stride),
		set(schema.Pool2DOptionsAddFilterHeight, h.filter), set(schema.Pool2DOptionsAddFilterWidth, v.filter), set(schema.Pool2DOptionsAddFusedActivationFunction, d.activation()))
	q := d.usual(t)
	d.in(t, []int32{batch, h.in, v.in, c}, q, nil)
	if d.chance(12) {
		q = d.usual(t)
	}
	d.out(t, []int32{batch, h.out, v.out, c}, q)
}

func svdf(d *drawn) {
	t := some(d, f32, i8, i8, i8)
	rank, units, features, memory, batch := 1+d.Int32N(3), 1+d.Int32N(6), 1+d.Int32N(9), 1+d.Int32N(6), 1+d.Int32N(3)
	filters := rank * units
	d.options(schema.BuiltinOptionsSVDFOptions, schema.SVDFOptionsStart, schema.SVDFOptionsEnd, set(schema.SVDFOptionsAddRank, rank),
		set(schema.SVDFOptionsAddFusedActivationFunction, some(d, schema.ActivationFunctionTypeNONE, schema.ActivationFunctionTypeRELU, schema.ActivationFunctionTypeRELU, schema.ActivationFunctionTypeRELU, schema.ActivationFunctionTypeRELU6)))
	bias, time := t, t
	x, f, tw, s := none, none, none, none
	if t == i8 {
		bias, time = i32, i16
		if d.chance(4) {
			time = i8
		}
		x, f, tw, s = d.usual(i8), quantum(1.0/128, 0), quantum(1.0/8192, 0), quantum(math.Exp2(-9-d.Float64()*3), 0)
	}
	d.in(t, []int32{batch, features}, x, nil)
	d.param(t, []int32{filters, features}, f, nil)
	d.param(time, []int32{filters, memory}, tw, nil)
	switch d.IntN(8) {
	case 0, 1:
		d.absent()
	default:
		q := none
		if t == i8 {
			q = quantum(float64(tw.Scales[0])*float64(s.Scales[0]), 0)
		}
		d.param(bias, []int32{units}, q, nil)
	}
	d.state(time, []int32{batch, memory * filters}, s)
	y := none
	if t == i8 {
		y = d.usual(i8)
	}
	d.out(t, []int32{batch, units}, y)
}

func lstm(d *drawn) {
	t := some(d, f32, i8, i8, i16)
	major := d.chance(3)
	batch, steps, features, cells := 1+d.Int32N(3), 1+d.Int32N(4), 1+d.Int32N(6), 1+d.Int32N(6)
	shape := []int32{batch, steps, features}
	if major {
		shape = []int32{steps, batch, features}
	}
	d.options(schema.BuiltinOptionsUnidirectionalSequenceLSTMOptions, schema.UnidirectionalSequenceLSTMOptionsStart, schema.UnidirectionalSequenceLSTMOptionsEnd,
		set(schema.UnidirectionalSequenceLSTMOptionsAddTimeMajor, major), set(schema.UnidirectionalSequenceLSTMOptionsAddFusedActivationFunction, schema.ActivationFunctionTypeTANH),
		set(schema.UnidirectionalSequenceLSTMOptionsAddCellClip, some[float32](d, 0, 0, 10, 1)))
	weight, bias, cell := t, t, t
	x, y, w, c := none, none, none, none
	switch t {
	case i8:
		bias, cell = i32, i16
		x, y, w, c = d.usual(i8), quantum(1.0/128, some[int64](d, 0, 5)), quantum(1.0/256, 0), quantum(1.0/2048, 0)
	case i16:
		weight, bias = i8, i64
		x, y, w, c = quantum(1.0/8192, 0), quantum(1.0/32768, 0), quantum(1.0/256, 0), quantum(1.0/2048, 0)
	}
	d.in(t, shape, x, nil)
	for i := 1; i < 18; i++ {
		b := none
		switch {
		case i <= 4:
			d.param(weight, []int32{cells, features}, w, nil)
		case i <= 8:
			d.param(weight, []int32{cells, cells}, w, nil)
		case i >= 12 && i <= 15:
			if len(x.Scales) > 0 {
				b = quantum(float64(x.Scales[0])*float64(w.Scales[0]), 0)
			}
			d.param(bias, []int32{cells}, b, nil)
		default:
			d.absent()
		}
	}
	d.state(t, []int32{batch, cells}, y)
	d.state(cell, []int32{batch, cells}, c)
	for range 4 {
		d.absent()
	}
	if t != f32 {
		for range 4 { // intermediates of the integer cell
			i := d.tensor(i16, []int32{0}, quantum(1.0/4096, 0), nil)
			d.op.Intermediates = append(d.op.Intermediates, i)
		}
		i := d.tensor(t, []int32{0}, y, nil)
		d.op.Intermediates = append(d.op.Intermediates, i)
	}
	d.out(t, append(append([]int32{}, shape[:2]...), cells), y)
	if !d.chance(20) { // LiteRT crashes on computed weights
		for _, i := range d.op.Inputs[1:16] {
			if i >= 0 {
				d.hold(i)
			}
		}
	}
}
