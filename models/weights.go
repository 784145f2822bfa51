package models

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// Weights is the source of the learned constants of a network. None of the kinds is trained:
// lifetimes and sizes of tensors do not depend on the values.
//
// Embedded weights of 64 MiB or more are stored at the end of the file. Zeros there are memory
// fresh from the system: on most systems, they use only address space until they are accessed.
type Weights string

const (
	// External refers to a file of weights that does not exist. The model file takes tens of
	// kilobytes, or hundreds if it has hundreds of operators or scales, and can be planned but
	// not run. By the format's rule, a tensor with an external buffer is constant. TensorFlow
	// Lite Micro does not know that rule, so under its rules the weights count as activations.
	External Weights = "external"
	// Zero embeds zeros. A runtime with kernels for the operators loads the model: TensorFlow
	// Lite Micro has no kernels for GELU and LOCAL_RESPONSE_NORMALIZATION. Weights of the same
	// type and size share a buffer, so the file is smaller than the trained network's.
	Zero Weights = "zero"
	// Random embeds random numbers at a scale that keeps activations alive through all layers,
	// so that the outputs of a rewritten model can be compared. Each tensor has its own
	// numbers, as in the trained network, so swapped weights change the outputs.
	Random Weights = "random"
)

const (
	// largeBytes is the size in bytes from which weights are stored at the end of the file.
	largeBytes = 64 << 20
	// externalAlign is the alignment of offsets into the external file, in bytes: the alignment
	// that the schema requires of embedded data.
	externalAlign = 16
)

// fill sets the data of the weights in m; group is the name of the external file.
func (g *graph) fill(m *encode.Model, group string, o Options) error {
	switch o.Weights {
	case External, "":
		g.fillExternal(m, group)
	case Zero:
		g.fillEmbedded(m, nil)
	case Random:
		// All buffers share one stream: a buffer's numbers depend only on the buffers before
		// it.
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

// A content is the size and the kind of weights, and the scale of random values.
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

// fillEmbedded embeds weights: write fills each buffer. If write is nil, the weights stay zero
// and share one buffer per content.
func (g *graph) fillEmbedded(m *encode.Model, write func(content, []byte)) {
	var order []content
	zeros := map[content]int{} // encode numbers the buffers from 1
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

// embed sets the data of the architecture's own constants in m.
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
