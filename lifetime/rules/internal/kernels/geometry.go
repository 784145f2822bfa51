package kernels

import (
	"github.com/tflarena/tflarena/schema"
	operators "github.com/tflarena/tflarena/tflite/op"
)

// geometry is what a convolution or a pool slides over what, in elements. The first of two
// numbers is along the height, the second along the width. Padding is what lies in front.
type geometry struct {
	batch                          int64
	in, out, filter                [2]int64
	stride, dilation, padding      [2]int64
	inChannels, outChannels, depth int64 // depth is that of the filter
}

// geometry reads the shapes and options of an operator, given the input that has its data.
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

// window is the number of elements that one output element is made of, of all channels of the
// input.
func (g *geometry) window() int64 { return product(g.filter[0], g.filter[1], g.inChannels) }

// multiplier is how many output channels a depthwise convolution has for each input channel, and 0
// without input channels.
func (g *geometry) multiplier() int64 {
	if g.inChannels <= 0 {
		return 0
	}
	return g.outChannels / g.inChannels
}

// picture is the number of elements of one picture of the input.
func (g *geometry) picture() int64 { return product(g.in[0], g.in[1], g.inChannels) }

// padded reports whether there is padding in front, filter1x1 whether the filter is of one pixel,
// steps1 whether it moves pixel by pixel, and dilated whether there is space between its elements.
func (g *geometry) padded() bool    { return g.padding != [2]int64{} }
func (g *geometry) filter1x1() bool { return g.filter == [2]int64{1, 1} }
func (g *geometry) steps1() bool    { return g.stride == [2]int64{1, 1} }
func (g *geometry) dilated() bool   { return g.dilation != [2]int64{1, 1} }

// windowed is a size that depends on the geometry, given the input that has the data.
//
//go:noinline
func windowed(data int, f func(g *geometry) int64) size {
	return func(k *Kernel) int64 {
		g := k.geometry(data)
		return min(max(f(&g), 0), MaxSize)
	}
}
