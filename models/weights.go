package models

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// Weights is where the learned constants of a network come from. None of the kinds
// is trained: lifetimes and sizes of tensors do not depend on their values.
//
// Embedded weights that take 64 MiB or more lie at the end of the file. Zeros there are memory
// fresh from the system: on most systems they take addresses alone, as long as nobody touches them.
type Weights string

const (
	// External refers to a file of weights that does not exist. The model file takes some
	// tens of kilobytes, or some hundreds where there are hundreds of operators or scales, and
	// can be planned but not run. By the format's own rule a tensor with an external buffer is
	// constant. TensorFlow Lite Micro does not know that rule, so that under its rules the
	// weights count as activations.
	External Weights = "external"
	// Zero embeds zeros. A runtime that has kernels for the operators loads the model:
	// TensorFlow Lite Micro has none for GELU and for LOCAL_RESPONSE_NORMALIZATION. Weights of
	// one type and size share a buffer, so that the file is smaller than that of the trained network.
	Zero Weights = "zero"
	// Random embeds random numbers of a scale that keeps activations alive through
	// all layers, so that what a rewritten model computes can be compared. Each tensor has numbers
	// of its own, as in the trained network, so that the outputs show it if weights are mixed up.
	Random Weights = "random"
)

const (
	// largeBytes is from how many bytes of weights on these lie at the end of the file.
	largeBytes = 64 << 20
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
		g.fillEmbedded(m, nil)
	case Random:
		// One stream for all: a buffer's numbers depend on those before it alone.
		rng := rand.New(rand.NewPCG(o.Seed, 0))
		g.fillEmbedded(m, func(c content, data []byte) { c.random(rng, data) })
	default:
		return fmt.Errorf("no weights are called %q; there are %s, %s, %s", o.Weights, External, Zero, Random)
	}
	return nil
}

func (g *graph) fillExternal(m *encode.Model, group string) {
	var end uint64
	for _, w := range g.weights {
		length := uint64(g.content(w).bytes)
		m.External = append(m.External, encode.ExternalBuffer{Group: group, Offset: end, Length: length})
		g.sub.Tensors[w.tensor].External = len(m.External)
		end += (length + externalAlign - 1) / externalAlign * externalAlign
	}
}

// A content is the size and the kind of weights, and the scale of random ones.
type content struct {
	bytes, fanIn int64
	kind         schema.TensorType
}

func (g *graph) content(w weight) content {
	t := g.sub.Tensors[w.tensor]
	n := elements(t.Shape)
	if t.Type != schema.TensorTypeINT8 {
		n *= 4
	}
	return content{n, w.fanIn, t.Type}
}

// fillEmbedded embeds weights: write fills each buffer. If write is nil, weights stay zeros and share one buffer for each content.
func (g *graph) fillEmbedded(m *encode.Model, write func(content, []byte)) {
	var order []content
	zeros := map[content]int{} // encode counts the buffers from 1
	var total int64
	for _, w := range g.weights {
		c := g.content(w)
		if write != nil || zeros[c] == 0 {
			order = append(order, c)
			zeros[c] = len(m.Buffers) + len(order)
			total += c.bytes
		}
		g.sub.Tensors[w.tensor].Buffer = zeros[c]
	}
	for _, c := range order {
		fill := func(data []byte) {
			if write != nil {
				write(c, data)
			}
		}
		if total >= largeBytes {
			m.Buffers = append(m.Buffers, encode.Buffer{Last: c.bytes, Fill: fill})
			continue
		}
		data := make([]byte, c.bytes)
		fill(data)
		m.Buffers = append(m.Buffers, encode.Buffer{Data: data})
	}
}

// embed gives the numbers of the architecture their data in m.
func (g *graph) embed(m *encode.Model) {
	for _, n := range g.numbers {
		t := &g.sub.Tensors[n.tensor]
		var data []byte
		for _, v := range n.values {
			if t.Type == schema.TensorTypeINT8 {
				data = append(data, byte(int8(math.RoundToEven(float64(v/t.Quantization.Scales[0])))))
			} else {
				data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
			}
		}
		m.Buffers = append(m.Buffers, encode.Buffer{Data: data})
		t.Buffer = len(m.Buffers)
	}
}
