package models

import (
	"encoding/binary"
	"math"
	"math/rand/v2"

	"github.com/tflarena/tflarena/schema"
)

// spread is the width of the range of random weights: uniform, with the variance 2/fanIn that
// preserves the scale of activations through layers with ReLU (He and others, "Delving Deep
// into Rectifiers", 2015).
func spread(fanIn int64) float64 { return 2 * math.Sqrt(6/float64(fanIn)) }

// random fills data with weights. Integers span the range that quantising such floats gives.
func (c content) random(rng *rand.Rand, data []byte) {
	switch c.kind {
	case schema.TensorTypeINT8:
		for i := range data {
			data[i] = byte(rng.IntN(2*largestInt8+1) - largestInt8)
		}
	case schema.TensorTypeINT32:
		const most = largestInt8 / activationScale
		for i := 0; i < len(data); i += 4 {
			binary.LittleEndian.PutUint32(data[i:], uint32(rng.IntN(2*most+1)-most))
		}
	default:
		width := spread(c.fanIn)
		for i := 0; i < len(data); i += 4 {
			// A difference times a width: no platform can fuse this form and round it
			// differently.
			v := float32((rng.Float64() - 0.5) * width)
			binary.LittleEndian.PutUint32(data[i:], math.Float32bits(v))
		}
	}
}
