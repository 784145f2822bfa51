package kernels

import (
	"github.com/tflarena/tflarena/schema"
	operators "github.com/tflarena/tflarena/tflite/op"
)

// geometry is the sliding window of a convolution or a pool, in elements. Pairs are along the
// height and the width. Padding is the padding before the input.
type geometry struct {
	batch                          int64
	in, out, filter                [2]int64
	stride, dilation, padding      [2]int64
	inChannels, outChannels, depth int64 // depth of the filter
}

// geometry reads the shapes and options of an operator, given the data input.
func (k *Kernel) geometry(data int) geometry {
	x, f, y := k.input(data), k.input(1), k.output(0)
	g := geometry{batch: Dim(x, 0), inChannels: Dim(x, 3), outChannels: Dim(y, 3), depth: Dim(f, 3)}
	w, _ := operators.WindowOf(k.model, k.sub, k.op)
	if k.valid {
		w.Padding = schema.PaddingVALID
	}
	g.filter, g.stride, g.dilation = w.Kernel, w.Stride, w.Dilation
	for axis := range 2 {
		g.in[axis], g.out[axis] = Dim(x, axis+1), Dim(y, axis+1)
		if a, _, ok := w.Along(axis, g.in[axis]); ok {
			g.padding[axis] = a.Before
		}
	}
	return g
}

// window is the number of input elements per output element, over all input channels.
func (g *geometry) window() int64 { return product(g.filter[0], g.filter[1], g.inChannels) }

// multiplier is the number of output channels of a depthwise convolution per input channel, and
// 0 without input channels.
func (g *geometry) multiplier() int64 {
	if g.inChannels <= 0 {
		return 0
	}
	return g.outChannels / g.inChannels
}

// picture is the number of elements of one input image.
func (g *geometry) picture() int64 { return product(g.in[0], g.in[1], g.inChannels) }

// padded reports whether there is padding before the input, filter1x1 whether the filter is
// 1x1, steps1 whether the stride is 1, and dilated whether the filter is dilated.
func (g *geometry) padded() bool    { return g.padding != [2]int64{} }
func (g *geometry) filter1x1() bool { return g.filter == [2]int64{1, 1} }
func (g *geometry) steps1() bool    { return g.stride == [2]int64{1, 1} }
func (g *geometry) dilated() bool   { return g.dilation != [2]int64{1, 1} }

// windowed is a size that depends on the geometry, given the data input.
//
//go:noinline
func windowed(data int, f func(g *geometry) int64) size {
	return func(k *Kernel) int64 {
		g := k.geometry(data)
		return min(max(f(&g), 0), MaxSize)
	}
}
