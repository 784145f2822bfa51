package rules_test

import (
	"math"

	"github.com/tflarena/tflarena/schema"
)

// window is a sliding window along one axis of an image.
type window struct{ in, out, kernel, stride, dilation, before int32 }

// window draws one along an axis of the given number of elements, or none if it does not fit.
func (d drawing) window(in int32, padding schema.Padding, dilated bool) (w window, ok bool) {
	w = window{in: in, kernel: d.some(1, 4), stride: d.some(1, 3), dilation: 1}
	if dilated && d.chance() {
		w.dilation = d.some(1, 3)
	}
	extent := (w.kernel-1)*w.dilation + 1
	if padding == schema.PaddingVALID {
		w.out = (in - extent + w.stride) / w.stride
		return w, extent <= in
	}
	w.out = (in + w.stride - 1) / w.stride
	w.before = max((w.out-1)*w.stride+extent-in, 0) / 2
	return w, true
}

// taps are the elements inside the window.
func (w window) taps(o int32) (list []int32) {
	for k := range w.kernel {
		if i := o*w.stride - w.before + k*w.dilation; i >= 0 && i < w.in {
			list = append(list, i)
		}
	}
	return list
}

// picture draws an image, a padding, and its two windows.
func (d drawing) picture(dilated bool, kinds ...schema.TensorType) (in operand, padding schema.Padding, y, x window, ok bool) {
	in = d.tensor([]int32{d.some(1, 2), d.some(1, 9), d.some(1, 9), d.some(1, 8)}, kinds...)
	if d.IntN(4) == 0 {
		in.shape[3] = d.some(9, 40)
	}
	padding = schema.Padding(d.IntN(2))
	y, okY := d.window(in.shape[1], padding, dilated)
	x, okX := d.window(in.shape[2], padding, dilated)
	return in, padding, y, x, okY && okX
}

// over returns the reads of a window for some channels.
func over(in operand, batch int32, rows, columns, channels []int32) (reads []int64) {
	for _, y := range rows {
		for _, x := range columns {
			for _, c := range channels {
				reads = append(reads, in.at(batch, y, x, c))
			}
		}
	}
	return reads
}

// weights draws a filter for an input.
func (d drawing) weights(in operand, shape ...int32) operand {
	w := operand{kind: in.kind, shape: shape, drawn: true}
	switch {
	case in.kind == i16:
		w.kind = i8
	case in.kind == i8 && d.IntN(4) == 0:
		w.kind, w.scale = schema.TensorTypeINT4, 0.32
	}
	return w.scaled(0.02, 0)
}

// summed is an output of the given number of products each: its scale neither clips them all
// nor makes them all equal.
func summed(in operand, products int32, shape ...int32) operand {
	typical := 74. // of an input, in steps; those of 16 bits are 0 to 2
	if in.kind == schema.TensorTypeINT16 {
		typical = 0.8
	}
	return in.shaped(shape...).scaled(0.05*0.02*typical*74*math.Sqrt(float64(products))/50, 0)
}

func drawConv(d drawing) *trial {
	in, padding, y, x, ok := d.picture(true)
	groups := d.some(1, 3)
	if !ok || in.shape[3]%groups != 0 {
		return nil
	}
	depth, each := in.shape[3]/groups, d.some(1, 4)
	filter := d.weights(in, groups*each, y.kernel, x.kernel, depth)
	out := summed(in, y.kernel*x.kernel*depth, in.shape[0], y.out, x.out, groups*each)
	t := &trial{
		code: schema.BuiltinOperatorCONV_2D, tag: schema.BuiltinOptionsConv2DOptions,
		options: []any{padding, x.stride, y.stride, nil, x.dilation, y.dilation}, in: []operand{in, filter}, out: []operand{out},
	}
	indexes(out.shape, func(o []int32) {
		var channels []int32
		for c := range depth {
			channels = append(channels, o[3]/each*depth+c)
		}
		t.element(over(in, o[0], y.taps(o[1]), x.taps(o[2]), channels), o...)
	})
	return t
}

func drawDepthwise(d drawing) *trial {
	in, padding, y, x, ok := d.picture(true)
	if !ok {
		return nil
	}
	times := d.some(1, 3)
	filter := d.weights(in, 1, y.kernel, x.kernel, in.shape[3]*times)
	out := summed(in, y.kernel*x.kernel, in.shape[0], y.out, x.out, in.shape[3]*times)
	t := &trial{
		code: schema.BuiltinOperatorDEPTHWISE_CONV_2D, tag: schema.BuiltinOptionsDepthwiseConv2DOptions,
		options: []any{padding, x.stride, y.stride, times, nil, x.dilation, y.dilation}, in: []operand{in, filter}, out: []operand{out},
	}
	indexes(out.shape, func(o []int32) {
		t.element(over(in, o[0], y.taps(o[1]), x.taps(o[2]), []int32{o[3] / times}), o...)
	})
	return t
}

func drawPool(d drawing) *trial {
	code := []schema.BuiltinOperator{schema.BuiltinOperatorAVERAGE_POOL_2D, schema.BuiltinOperatorMAX_POOL_2D, schema.BuiltinOperatorL2_POOL_2D}[d.IntN(3)]
	var kinds []schema.TensorType
	if code == schema.BuiltinOperatorL2_POOL_2D {
		kinds = []schema.TensorType{schema.TensorTypeFLOAT32}
	}
	in, padding, y, x, ok := d.picture(false, kinds...)
	if !ok {
		return nil
	}
	out := in.shaped(in.shape[0], y.out, x.out, in.shape[3])
	t := &trial{
		faint: code == schema.BuiltinOperatorMAX_POOL_2D, // another element may have the same maximum
		code:  code, tag: schema.BuiltinOptionsPool2DOptions,
		options: []any{padding, x.stride, y.stride, x.kernel, y.kernel}, in: []operand{in}, out: []operand{out},
	}
	indexes(out.shape, func(o []int32) {
		t.element(over(in, o[0], y.taps(o[1]), x.taps(o[2]), []int32{o[3]}), o...)
	})
	return t
}

// drawSpread draws a TRANSPOSE_CONV; floats must not overlap.
func drawSpread(d drawing) *trial {
	in := d.tensor([]int32{1, d.some(1, 6), d.some(1, 6), d.some(1, 8)})
	k, s := d.some(1, 4), d.some(1, 3)
	if k < s {
		return nil
	}
	out := summed(in, k*in.shape[3], 1, (in.shape[1]-1)*s+k, (in.shape[2]-1)*s+k, d.some(1, 8))
	t := &trial{
		code: schema.BuiltinOperatorTRANSPOSE_CONV, tag: schema.BuiltinOptionsTransposeConvOptions, from: 2,
		options: []any{schema.PaddingVALID, s, s}, out: []operand{out}, apart: in.kind == schema.TensorTypeFLOAT32,
		in: []operand{numbers([]int32{4}, out.shape...), d.weights(in, out.shape[3], k, k, in.shape[3]), in},
	}
	if t.in[1].kind == schema.TensorTypeINT4 {
		return nil
	}
	all := body{end: out.bytes()}
	indexes(in.shape, func(i []int32) { all.reads = append(all.reads, in.at(i...)) })
	if t.bodies = []body{all}; t.apart {
		t.bodies = []body{{end: out.bytes()}, all}
	}
	return t
}
