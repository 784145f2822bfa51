package kernels

import "github.com/tflarena/tflarena/internal/integer"

// The size functions of ESP-NN before 1.2.3, in bytes. 1.1.0 to 1.2.0 share one set of sizes,
// and 1.2.1 and 1.2.2 another; the ESP32-P4 uses the former in all of them.

// convolutionOf110 is the function of 1.1.0 to 1.2.0, for both chips.
func convolutionOf110(g *geometry) int64 {
	const slack = 32
	if g.pointwise() {
		return pointwiseChannels(g) + slack
	}
	filter := product(g.filter[0], g.filter[1], integer.RoundUp(g.inChannels, 16), g.outChannels)
	return g.around() + filter + slack + product(4, g.outChannels)
}

// depthwiseOf110 is the function of 1.1.0 to 1.2.0, for the ESP32-S3.
func depthwiseOf110(g *geometry) int64 {
	const slack = 16
	filter, multiplier := product(g.filter[0], g.filter[1], g.outChannels), g.multiplier()
	small := multiplier == 1 && g.filter == [2]int64{3, 3}
	switch {
	case small && g.inChannels%16 == 0:
		if more := g.beside(); more != [2]int64{} {
			return filter + product(g.in[1]+more[1], g.in[0]+more[0], g.inChannels) + slack
		}
		return filter + slack
	case small && g.inChannels%8 == 0 || multiplier > 0 && multiplier%4 == 0:
		return product(2, filter+g.picture()) + slack
	}
	return 32
}
