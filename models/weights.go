package models

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tflarena/tflarena/internal/encode"
)

// Weights is where the constant floats of a network come from. None of the kinds
// is trained: lifetimes and sizes of tensors do not depend on their values.
//
// Embedded constants that agree in length and in fan-in share one buffer, so that a
// file is smaller than that of the trained network.
type Weights string

const (
	// External refers to a file of weights that does not exist. The model file takes some
	// tens of kilobytes, or up to 200 where there are hundreds of operators, and can be
	// planned but not run. By the format's own rule a tensor with an external buffer is
	// constant. TensorFlow Lite Micro does not know that rule, so that under its rules the
	// weights count as activations.
	External Weights = "external"
	// Zero embeds zeros. Every runtime loads the model.
	Zero Weights = "zero"
	// Random embeds random numbers of a scale that keeps activations alive through
	// all layers, so that what a rewritten model computes can be compared.
	Random Weights = "random"
)

const (
	elementBytes = 4
	// externalAlign is what offsets into the external file are multiples of, the
	// alignment that the schema asks of embedded data.
	externalAlign = 16
)

// fill gives the weights their data in m; group is the name of the external file.
func (g *graph) fill(m *encode.Model, group string, o Options) error {
	switch o.Weights {
	case External, "":
		g.fillExternal(m, group)
	case Zero:
		g.share(m, func(c content) []byte { return make([]byte, c.bytes) })
	case Random:
		// One stream for all: a buffer's numbers depend on those before it alone.
		rng := rand.New(rand.NewPCG(o.Seed, 0))
		g.share(m, func(c content) []byte { return random(rng, c.bytes, c.fanIn) })
	default:
		return fmt.Errorf("no weights are called %q; there are %s, %s, %s", o.Weights, External, Zero, Random)
	}
	return nil
}

func (g *graph) bytes(w weight) int64 {
	return elements(g.sub.Tensors[w.tensor].Shape) * elementBytes
}

func (g *graph) fillExternal(m *encode.Model, group string) {
	var end uint64
	for _, w := range g.weights {
		length := uint64(g.bytes(w))
		m.External = append(m.External, encode.ExternalBuffer{Group: group, Offset: end, Length: length})
		g.sub.Tensors[w.tensor].External = len(m.External)
		end += (length + externalAlign - 1) / externalAlign * externalAlign
	}
}

// A content is what weights must agree in to share a buffer.
type content struct{ bytes, fanIn int64 }

// share embeds what data returns, one buffer for each content.
func (g *graph) share(m *encode.Model, data func(content) []byte) {
	buffers := map[content]int{}
	for _, w := range g.weights {
		c := content{g.bytes(w), w.fanIn}
		if buffers[c] == 0 {
			m.Buffers = append(m.Buffers, encode.Buffer{Data: data(c)})
			buffers[c] = len(m.Buffers) // encode counts the buffers from 1
		}
		g.sub.Tensors[w.tensor].Buffer = buffers[c]
	}
}

// random returns floats, uniform with the variance 2/fanIn that keeps the scale of
// activations through layers with ReLU (He and others, "Delving Deep into
// Rectifiers", 2015).
func random(rng *rand.Rand, bytes, fanIn int64) []byte {
	width := 2 * math.Sqrt(6/float64(fanIn))
	data := make([]byte, 0, bytes)
	for range bytes / elementBytes {
		// A difference times a width: no form that a platform may fuse and round
		// differently.
		v := float32((rng.Float64() - 0.5) * width)
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	return data
}
