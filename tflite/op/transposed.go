package op

import "github.com/tflarena/tflarena/schema"

// Transposed convolutions: each input value is spread over a window of the output. An input
// holds the output shape.

// transposeConv has filters [outputs, height, width, inputs]; input 0 is the shape of the
// output.
var transposeConv = facts{
	params: []int{0},
	window: func(n node) Window {
		var o schema.TransposeConvOptions
		n.options(schema.BuiltinOptionsTransposeConvOptions, &o)
		return Window{Padding: o.Padding(), Kernel: n.kernel(1), Stride: pair(o.StrideH(), o.StrideW()), Dilation: [2]int64{1, 1}}
	},
	shapes: single(func(n node) []int64 { return n.spreadTo(4) }),
	macs: func(n node) Count {
		return n.convolve(Inputs, n.input(2), 4, func(f []int32) int64 { return size(f[:3]...) })
	},
	reads: reader{Scaled, func(n node, _ int) []Region {
		in, out := n.shapeOf(2, 4), n.madeOf(0, 4)
		w := n.spatial()
		r := Region{same(0, in[0]), {}, {}, whole(in[3])}
		for i := range 2 {
			var ok bool
			if r[i+1], ok = w.Transposed(i, in[i+1], out[i+1]); !ok {
				n.fail("sizes do not go together")
			}
		}
		if t := n.input(1); t != nil && t.Type != n.input(2).Type {
			r = n.readWhole(2) // quantised at run time: read whole
		}
		return []Region{n.readWhole(0), n.along(1, 0, 3), r, n.along(3, 0, 3)}
	}},
}

// mediapipeTransposeConv is MediaPipe's custom operator: input, filter, bias.
var mediapipeTransposeConv = facts{macs: func(n node) Count {
	return n.convolve(Inputs, n.input(0), 4, func(f []int32) int64 { return size(f[:3]...) })
}}

// conv3DTranspose has filters [depth, height, width, outputs, inputs]; input 0 is the
// shape of the output.
var conv3DTranspose = facts{
	params: []int{0},
	shapes: single(func(n node) []int64 { return n.spreadTo(5) }),
	macs: func(n node) Count {
		return n.convolve(Inputs, n.input(2), 5, func(f []int32) int64 { return size(f[:4]...) })
	},
	reads: reader{Scaled, func(n node, _ int) []Region {
		in, filter, out := n.shapeOf(2, 5), n.shapeOf(1, 5), n.madeOf(0, 5)
		var o schema.Conv3DOptions
		n.options(schema.BuiltinOptionsConv3DOptions, &o)
		r := n.along(2, 0, 0)
		for i, stride := range []int32{o.StrideD(), o.StrideH(), o.StrideW()} {
			a, ok := slide{padding: o.Padding(), kernel: filter[i], stride: int64(stride), dilation: 1}.spread(i+1, in[i+1], out[i+1])
			if !ok {
				n.fail("sizes do not go together")
			}
			r[i+1] = a
		}
		return []Region{n.readWhole(0), n.along(1, 3, 4), r, n.along(3, 0, 4)}
	}},
}

// spreadTo returns the shape in input 0, of the given rank.
func (n node) spreadTo(rank int) []int64 {
	shape := n.ints(0)
	if len(shape) != rank {
		n.fail("its output would have %d dimensions", len(shape))
	}
	return shape
}
