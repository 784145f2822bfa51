package op

import "github.com/tflarena/tflarena/schema"

// Pools: each output value is computed from a window of one channel.

// pool2D is MAX_POOL_2D, AVERAGE_POOL_2D and L2_POOL_2D.
var pool2D = facts{
	window: func(n node) Window {
		var o schema.Pool2DOptions
		n.options(schema.BuiltinOptionsPool2DOptions, &o)
		return Window{
			Padding: o.Padding(), Kernel: pair(o.FilterHeight(), o.FilterWidth()),
			Stride: pair(o.StrideH(), o.StrideW()), Dilation: [2]int64{1, 1},
		}
	},
	shapes: single(func(n node) []int64 {
		in := n.shapeOf(0, 4)
		return n.windowShape(in, in[3])
	}),
	reads: reader{Windowed, func(n node, _ int) []Region {
		in := n.shapeOf(0, 4)
		y, x := n.windows(in[1], in[2])
		return []Region{{same(0, in[0]), y, x, same(3, in[3])}}
	}},
}

// reduceWindow is REDUCE_WINDOW: an input, an initial value, and window, stride and dilation
// per axis. Padding must be a separate PAD.
var reduceWindow = facts{
	params: []int{2, 3, 4},
	shapes: single(func(n node) []int64 {
		out := n.shape(0)
		for i, s := range n.reduced(len(out)) {
			out[i] = n.positions(s.along(i, out[i]))
		}
		return out
	}),
	reads: reader{Windowed, func(n node, _ int) []Region {
		in := n.shape(0)
		var r Region
		for i, s := range n.reduced(len(in)) {
			a, _, ok := s.along(i, in[i])
			if !ok {
				n.fail("no window fits")
			}
			r = append(r, a)
		}
		return []Region{r, n.readWhole(1)}
	}},
}

// reduced returns the windows of REDUCE_WINDOW along all axes.
func (n node) reduced(rank int) []slide {
	kernel, stride, dilation := n.ints(2), n.ints(3), n.ints(4)
	if len(kernel) != rank || len(stride) != rank || len(dilation) != rank {
		n.fail("its windows have %d, %d and %d dimensions", len(kernel), len(stride), len(dilation))
	}
	list := make([]slide, rank)
	for i := range list {
		list[i] = slide{padding: schema.PaddingVALID, kernel: n.smallNumber(kernel[i]), stride: n.smallNumber(stride[i]), dilation: n.smallNumber(dilation[i])}
	}
	return list
}
