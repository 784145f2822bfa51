package kernels

import (
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/schema"
)

// The size functions of CMSIS-NN, in bytes.

// convolution is the scratch of CONV_2D. For 4-bit weights, the runtime calls the 8-bit
// function.
func (b armBuild) convolution(k *Kernel) int64 {
	switch k.inputType(0) {
	case i8:
		return windowed(0, b.convolution8)(k)
	case i16:
		return windowed(0, b.convolution16)(k)
	}
	return 0
}

func (b armBuild) convolution8(g *geometry) int64 {
	switch {
	case !g.padded() && g.filter1x1() && !g.dilated() && g.depth == g.inChannels:
		return 0
	case b.core == mve && g.in[0] == 1 && g.filter[0] == 1 && g.dilation[1] == 1 &&
		product(g.stride[1], g.inChannels)%4 == 0 && g.depth == g.inChannels:
		return lineMVE(g)
	}
	return b.windows8(g.window())
}

// windows8 is the buffer for the windows of four output pixels, in 8 bits for vectors, or of
// two in 16 bits.
func (b armBuild) windows8(window int64) int64 {
	if b.core == mve {
		return product(4, integer.RoundUp(window, 16))
	}
	return product(4, integer.RoundUp(window, 4))
}

func (b armBuild) convolution16(g *geometry) int64 {
	if b.core == mve {
		return product(8, integer.RoundUp(g.window(), 8))
	}
	return product(4, g.window())
}

// lineMVE is the scratch of a one-dimensional convolution with vectors. The middle of the line
// needs none; the ends are copied together with their padding.
func lineMVE(g *geometry) int64 {
	const axis = 1
	width, filter, stride, padding := g.in[axis], g.filter[axis], g.stride[axis], g.padding[axis]
	if stride <= 0 {
		return 0
	}
	odd := ((g.out[axis]-1)*stride + filter - width) % 2
	left, right := int64(0), int64(0)
	if padding != 0 {
		left = max(1, (padding+stride-1)/stride)
	}
	if padding+odd != 0 {
		right = max(1, (padding+odd+stride-1)/stride)
	}
	middle := max(g.out[axis]-left-right, 0)
	if left+middle+right != g.out[axis] {
		return product(4, integer.RoundUp(product(filter, g.inChannels), 16))
	}
	end := product(padding, g.inChannels)
	if odd != 0 {
		end = product(right, g.inChannels)
	}
	return max(product(filter+padding, g.inChannels), product(filter-1, g.inChannels)+end)
}

// depthwise is the scratch of DEPTHWISE_CONV_2D. The kernel for 16-bit inputs uses none.
func (b armBuild) depthwise(k *Kernel) int64 {
	if k.inputType(0) != i8 {
		return 0
	}
	return windowed(0, func(g *geometry) int64 {
		elements := product(g.filter[0], g.filter[1])
		fast := g.multiplier() == 1 && g.batch == 1 && !g.dilated()
		int4 := k.inputType(1) == i4
		switch {
		case b.core == mve && !int4 && g.inChannels == 1 && g.outChannels > 1:
			g.depth = 1 // computed as a convolution
			return b.convolution8(g) + product(g.outChannels, elements)
		case !fast:
			return 0
		case b.core == mve:
			const block = 124 // channels at a time
			return product(4, block, elements)
		case int4, b.core == dsp && !g.small3x3():
			return product(2, elements, g.inChannels)
		}
		return 0
	})(k)
}

// small3x3 reports whether the special kernel for 3x3 filters with a padding of at most 1 is
// used.
func (g *geometry) small3x3() bool {
	return g.filter == [2]int64{3, 3} && g.padding[0] <= 1 && g.padding[1] <= 1
}

// asConvolution reports whether a transposed convolution is computed as a convolution with the
// reversed filter.
func (g *geometry) asConvolution() bool {
	return g.stride[0] <= 2 && g.stride[1] <= 2 && g.inChannels > 16
}

// transposedSums is the first scratch of TRANSPOSE_CONV: for the convolution, or for the sums
// of the output rows that the filter reaches. It uses the vertical stride as the horizontal
// one, as the library does.
func (b armBuild) transposedSums(k *Kernel) int64 {
	return windowed(2, func(g *geometry) int64 {
		if g.asConvolution() {
			return b.windows8(g.window())
		}
		width := product(g.in[1]-1, g.stride[1]) + max(g.filter[1], g.stride[0])
		return product(4, g.outChannels, width, max(g.filter[0], g.stride[0]))
	})(k)
}

// transposedFilter is the second scratch: the reversed filter. If it is not needed, the request
// is made nevertheless.
func (b armBuild) transposedFilter(k *Kernel) int64 {
	return windowed(2, func(g *geometry) int64 {
		if g.asConvolution() {
			return product(g.window(), g.outChannels)
		}
		return 0
	})(k)
}

// connected requests the memory of FULLY_CONNECTED: the multipliers of each channel if it runs
// as a 1x1 convolution; otherwise the sums of its filter rows, which only vectors need, and
// which are persistent if known in advance.
func (b armBuild) connected(k *Kernel, a Asker) {
	y, f := k.output(0), k.input(1)
	function := map[schema.TensorType]string{i8: "fully_connected_s8", i16: "fully_connected_s16"}[k.inputType(0)]
	if function == "" || k.inputType(1) != i8 || y == nil || f == nil {
		return
	}
	units, depth := Dim(y, len(y.Shape)-1), Dim(f, len(f.Shape)-1)
	if k.inputType(0) == i8 && len(y.Shape) > 2 && depth%4 == 0 {
		b.connectedPixels(k, a, units, depth)
		return
	}
	sums := int64(0)
	if k.inputType(0) == i8 {
		sums = b.sums(units)
	}
	if sums > 0 && !b.small && k.embedded(1) && (k.input(2) == nil || k.embedded(2)) {
		a.Keep(1, sums)
		return
	}
	by(a, Call{Function: function, Filter: [4]int64{depth, 1, 1, units}}, sums)
}

// connectedPixels requests the memory of a 1x1 convolution.
func (b armBuild) connectedPixels(k *Kernel, a Asker, units, depth int64) {
	c := Call{
		Function: "convolve_wrapper_s8",
		Input:    [4]int64{1, 1, 1, depth}, Filter: [4]int64{units, 1, 1, depth}, Output: [4]int64{1, 1, 1, units},
		Stride: [2]int64{1, 1}, Dilation: [2]int64{1, 1},
	}
	if !perChannel(k) {
		c.More, c.Always = product(8, units), true
	}
	by(a, c, c.More)
}

// embedded reports whether an input has data in the flatbuffer: the runtime treats only those
// as constant.
func (k *Kernel) embedded(i int) bool {
	t := k.input(i)
	if t == nil {
		return false
	}
	b := k.model.Buffer(t)
	return b.Data != nil && !b.Outside
}
