package op

import (
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Convolutions: each output value is a sum over a window of the input. In a transposed
// convolution, each input value is spread over a window of the output.

// conv2D has filters [outputs, height, width, inputs of a group]. Grouped convolutions have a
// smaller last dimension than the input, and proportionally less work.
var conv2D = facts{
	window: conv2DWindow,
	shapes: single(func(n node) []int64 {
		in, filter := n.shapeOf(0, 4), n.shapeOf(1, 4)
		if filter[3] == 0 || in[3]%filter[3] != 0 || in[3] > 0 && filter[0]%(in[3]/filter[3]) != 0 {
			n.fail("a filter of the shape %v does not fit %d channels", filter, in[3])
		}
		return n.windowShape(in, filter[0])
	}),
	macs: func(n node) Count {
		return n.convolve(Outputs, n.output(0), 4, func(f []int32) int64 { return size(f[1:]...) })
	},
	reads: reader{Windowed, func(n node, _ int) []Region {
		in := n.extentsOf(0, 4)
		y, x := n.windows(in[1], in[2])
		return n.filtered(Region{same(0, in[0]), y, x, whole(in[3])}, 0, 3)
	}},
}

// depthwiseConv2D has filters [1, height, width, outputs]; each output reads one channel.
var depthwiseConv2D = facts{
	window: depthwiseWindow,
	shapes: single(func(n node) []int64 {
		in, filter := n.shapeOf(0, 4), n.shapeOf(1, 4)
		if in[3] == 0 || filter[0] != 1 || filter[3]%in[3] != 0 {
			n.fail("a filter of the shape %v does not fit %d channels", filter, in[3])
		}
		return n.windowShape(in, filter[3])
	}),
	macs: func(n node) Count {
		return n.convolve(Outputs, n.output(0), 4, func(f []int32) int64 { return size(f[1:3]...) })
	},
	reads: reader{Windowed, func(n node, _ int) []Region {
		in, filter := n.extentsOf(0, 4), n.shapeOf(1, 4)
		y, x := n.windows(in[1], in[2])
		c := whole(in[3])
		if in[3] > 0 && filter[3]%in[3] == 0 {
			c = Axis{Of: 3, In: in[3], Stride: 1, Scale: max(filter[3]/in[3], 1)}
		}
		return n.filtered(Region{same(0, in[0]), y, x, c}, 3, 3)
	}},
}

// conv3D has filters [depth, height, width, inputs of a group, outputs].
var conv3D = facts{
	shapes: single(func(n node) []int64 {
		in, filter := n.shapeOf(0, 5), n.shapeOf(1, 5)
		if filter[3] == 0 || in[4]%filter[3] != 0 {
			n.fail("a filter of the shape %v does not fit %d channels", filter, in[4])
		}
		out := []int64{in[0], 0, 0, 0, filter[4]}
		for i, s := range conv3DSlides(n, filter) {
			out[i+1] = n.positions(s.along(i+1, in[i+1]))
		}
		return out
	}),
	macs: func(n node) Count {
		return n.convolve(Outputs, n.output(0), 5, func(f []int32) int64 { return size(f[:4]...) })
	},
	reads: reader{Windowed, func(n node, _ int) []Region {
		in := n.extentsOf(0, 5)
		r := n.along(0, 0, 0)
		for i, s := range conv3DSlides(n, n.shapeOf(1, 5)) {
			var ok bool
			if r[i+1], _, ok = s.along(i+1, in[i+1]); !ok {
				n.fail("no window fits")
			}
		}
		return n.filtered(r, 4, 4)
	}},
}

// conv3DSlides returns the windows along depth, height and width.
func conv3DSlides(n node, filter []int64) []slide {
	var o schema.Conv3DOptions
	n.options(schema.BuiltinOptionsConv3DOptions, &o)
	return []slide{
		{padding: o.Padding(), kernel: filter[0], stride: int64(o.StrideD()), dilation: int64(o.DilationDFactor())},
		{padding: o.Padding(), kernel: filter[1], stride: int64(o.StrideH()), dilation: int64(o.DilationHFactor())},
		{padding: o.Padding(), kernel: filter[2], stride: int64(o.StrideW()), dilation: int64(o.DilationWFactor())},
	}
}

func conv2DWindow(n node) Window {
	var o schema.Conv2DOptions
	n.options(schema.BuiltinOptionsConv2DOptions, &o)
	return Window{
		Padding: o.Padding(), Kernel: n.kernel(1),
		Stride: pair(o.StrideH(), o.StrideW()), Dilation: pair(o.DilationHFactor(), o.DilationWFactor()),
	}
}

func depthwiseWindow(n node) Window {
	var o schema.DepthwiseConv2DOptions
	n.options(schema.BuiltinOptionsDepthwiseConv2DOptions, &o)
	return Window{
		Padding: o.Padding(), Kernel: n.kernel(1),
		Stride: pair(o.StrideH(), o.StrideW()), Dilation: pair(o.DilationHFactor(), o.DilationWFactor()),
	}
}

func pair(height, width int32) [2]int64 { return [2]int64{int64(height), int64(width)} }

// kernel returns the height and width of a filter of rank 4, or zeros.
func (n node) kernel(position int) (k [2]int64) {
	if t := n.input(position); t != nil && len(t.Shape) == 4 {
		k = pair(t.Shape[1], t.Shape[2])
	}
	return k
}

// windowShape returns the shape that a window produces from images.
func (n node) windowShape(in []int64, channels int64) []int64 {
	w := n.spatial()
	return []int64{in[0], n.positions(w.Along(0, in[1])), n.positions(w.Along(1, in[2])), channels}
}

// filtered returns the regions of an input, a filter and a bias. axis is the axis of the filter
// with the output channels, of their axis in the output. An input that is quantised at run
// time, by its largest value, is read whole.
func (n node) filtered(in Region, axis, of int) []Region {
	if n.hybrid() {
		in = n.readWhole(0)
	}
	return []Region{in, n.along(1, axis, of), n.along(2, 0, of)}
}

// hybrid reports whether floats are multiplied by weights of another type.
func (n node) hybrid() bool {
	in, weights := n.input(0), n.input(1)
	return in != nil && weights != nil && in.Type == schema.TensorTypeFLOAT32 && weights.Type != in.Type
}

// convolve counts the filter window (input 1) once per element of a tensor. Both must have the
// given rank.
func (n node) convolve(extent Extent, t *tflite.Tensor, rank int, window func(filter []int32) int64) Count {
	f := n.input(1)
	if f == nil || t == nil || len(f.Shape) != rank || len(t.Shape) != rank {
		return Count{}
	}
	return per(extent, t, window(f.Shape))
}
