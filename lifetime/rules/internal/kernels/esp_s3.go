package kernels

import "github.com/tflarena/tflarena/internal/integer"

// The size functions of ESP-NN for the ESP32-S3, in bytes. Its vectors load 16 bytes at
// multiples of 16, so the kernels copy the input and the filter with padding.

// convolutionS3 returns the size of CONV_2D with slack for the alignment of the parts.
func convolutionS3(slack int64) func(g *geometry) int64 {
	return func(g *geometry) int64 { return g.copiesS3() + slack }
}

// copiesS3 are all parts of the scratch of CONV_2D.
func (g *geometry) copiesS3() int64 {
	sums := product(4, g.outChannels)
	line := product(g.filter[1], g.inChannels)
	switch window := integer.RoundUp(g.window(), 16); {
	case g.pointwise():
		return pointwiseChannels(g)
	case line < 16 && g.window() >= 16:
		return sums + 16 + product(g.outChannels, window) + 16 + window
	}
	filter := product(g.filter[0], g.filter[1], integer.RoundUp(g.inChannels, 16), g.outChannels)
	lines := product(integer.RoundUp(line, 16), g.filter[0], g.outChannels)
	return g.around() + filter + lines + g.behind() + sums
}

// around is a copy of the image with its padding on all sides, if any.
func (g *geometry) around() int64 {
	if !g.padded() {
		return 0
	}
	return product(g.in[0]+2*g.padding[0], g.in[1]+2*g.padding[1], g.inChannels)
}

// behind is a copy of the image with the elements that windows reach past its end.
func (g *geometry) behind() int64 {
	bottom, right := g.beyond(0), g.beyond(1)
	if bottom == 0 && right == 0 {
		return 0
	}
	return product(g.in[0]+bottom, g.in[1]+right, g.inChannels)
}

// beyond returns the number of elements that windows reach past the end of the image along an
// axis, as the library counts them: with a full step for the last window, too.
func (g *geometry) beyond(axis int) int64 { return max(0, g.reach(axis)) }

func (g *geometry) reach(axis int) int64 {
	return g.out[axis]*g.stride[axis] + g.filter[axis] - 1 - g.in[axis]
}

func depthwiseS3(g *geometry) int64 {
	filter, multiplier := product(g.filter[0], g.filter[1], g.outChannels), g.multiplier()
	switch {
	case multiplier == 1 && g.inChannels%8 == 0 && g.filter == [2]int64{3, 3}:
		return smallDepthwiseS3(g, filter)
	case multiplier == 1 && g.inChannels%8 == 0:
		// All in 16 bits, or as many rows as the filter has.
		const most = 49152
		if all := product(2, filter+g.picture()); all <= most {
			return all + 32
		}
		return product(2, filter) + product(2, g.in[1], g.filter[0], g.inChannels) + 32
	case multiplier == 1 && g.inChannels > 3:
		channels := integer.RoundUp(g.inChannels, 8)
		n := integer.RoundUp(product(2, g.filter[0], g.filter[1], channels), 16)
		n = integer.RoundUp(n+product(2, g.in[0], g.in[1], channels), 16)
		n = integer.RoundUp(n+product(g.out[0], g.out[1], channels), 16)
		return n + product(12, channels) + 16
	case multiplier > 0 && multiplier%4 == 0:
		return product(2, filter+g.picture()) + 32
	}
	return 32
}

// smallDepthwiseS3 is for filters of 3x3, and channels that are a multiple of 8.
func smallDepthwiseS3(g *geometry, filter int64) int64 {
	channels := integer.RoundUp(g.inChannels, 16)
	switch {
	case g.inChannels%16 == 0:
		more := g.beside()
		if more == [2]int64{} {
			return filter + 16
		}
		const most = 40960 // larger images are copied row by row
		width := g.in[1] + more[1]
		copied := product(width, g.in[0]+more[0], g.inChannels)
		if copied > most {
			copied = product(width, g.filter[0], g.inChannels)
		}
		return filter + 16 + copied
	case g.inChannels >= 12:
		width, height := g.reached(1), g.reached(0)
		return product(9, channels) + product(width, height, channels) + product(g.out[0], g.out[1], channels) + 64
	}
	return product(2, filter+g.picture()) + 32
}

// reached is the size of the image along an axis with its padding on both sides, and with the
// elements that windows reach past its end.
func (g *geometry) reached(axis int) int64 {
	return g.in[axis] + 2*g.padding[axis] + g.beyond(axis)
}

// beside is the additional size of a copy of the image: the padding, or the elements that
// windows reach past the end. It is negative for dilated filters, because the library ignores
// the dilation.
func (g *geometry) beside() [2]int64 {
	if g.padded() {
		return [2]int64{2 * g.padding[0], 2 * g.padding[1]}
	}
	return [2]int64{g.reach(0), g.reach(1)}
}
