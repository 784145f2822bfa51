package kernels

import "github.com/tflarena/tflarena/internal/integer"

// The size functions of ESP-NN for the ESP32-P4, in bytes.

func convolutionP4(g *geometry) int64 {
	const slack = 32
	sums := product(4, g.outChannels)
	elements := product(g.filter[0], g.filter[1])
	switch {
	case g.pointwise() && g.inChannels < 16:
		return sums + product(16, g.outChannels) + 64
	case g.pointwise():
		return pointwiseChannels(g) + slack
	case !g.padded() && product(g.filter[1], g.inChannels) >= 16:
		return product(elements, integer.RoundUp(g.inChannels, 16), g.outChannels) + slack + sums
	case g.window() >= 16: // one window
		return sums + g.window() + slack
	case !g.padded():
		channels := g.widened()
		return sums + slack + product(elements, g.outChannels, channels) + product(g.in[0], g.in[1], channels)
	}
	return tiledP4(g, sums) + slack + sums
}

// widened is the number of channels to which a pixel is padded so that a filter line fills a
// vector.
func (g *geometry) widened() int64 {
	if g.filter[1] <= 0 {
		return 0
	}
	return integer.RoundUp((16+g.filter[1]-1)/g.filter[1], 16)
}

// tiledP4 is for windows with padding that do not fill a vector: the padded image and the
// filter, or, if that exceeds the cache, as many rows of widened pixels as fit.
func tiledP4(g *geometry, sums int64) int64 {
	const cache = 32768
	elements := product(g.filter[0], g.filter[1])
	if g.around()+sums <= cache {
		return g.around() + product(elements, integer.RoundUp(g.inChannels, 16), g.outChannels)
	}
	channels := g.widened()
	filter := product(elements, channels, g.outChannels)
	row := product(g.in[1]+2*g.padding[1], channels)
	left, rows := cache-sums-filter-product(g.filter[0], row), int64(1)
	if step := product(g.stride[0], row); left >= 0 && step > 0 {
		rows = min(left/step+1, g.out[0])
	}
	return filter + product((rows-1)*g.stride[0]+g.filter[0]+2*g.padding[0], row)
}
