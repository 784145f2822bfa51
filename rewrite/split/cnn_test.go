package split_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A cnn is a small convolutional network under construction, quantised as converters do
// it, so that the real runtimes run it.
type cnn struct {
	*rand.Rand
	sub  encode.Subgraph
	data []encode.Buffer
	// size is about how large the real numbers of a tensor are: the root of their mean
	// square. Scales follow from it, so that values neither vanish nor all saturate.
	size []float64
	read map[int]bool
	// steps are what the network may be made of.
	steps []step
}

func (n *cnn) chance(of int) bool { return n.IntN(of) == 0 }

// between returns a number from low to high, both inclusive.
func (n *cnn) between(low, high int) int32 { return int32(low + n.IntN(high-low+1)) }

func (n *cnn) uniform(low, high float64) float64 { return low + n.Float64()*(high-low) }

func (n *cnn) shape(i int) []int32 { return n.sub.Tensors[i].Shape }

func (n *cnn) kind(i int) schema.TensorType { return n.sub.Tensors[i].Type }

func (n *cnn) scale(i int) float64 {
	if s := n.sub.Tensors[i].Quantization.Scales; len(s) > 0 {
		return float64(s[0])
	}
	return 1
}

// fixed adds a tensor quantised in a way that is given; floats take no notice of it.
func (n *cnn) fixed(kind schema.TensorType, scale float64, zero int64, shape ...int32) int {
	t := encode.Tensor{Name: fmt.Sprintf("t%d", len(n.sub.Tensors)), Type: kind, Shape: shape}
	if kind != schema.TensorTypeFLOAT32 && kind != schema.TensorTypeINT32 {
		t.Quantization = encode.Quantization{Scales: []float32{float32(scale)}, Zeros: []int64{zero}}
	}
	n.sub.Tensors = append(n.sub.Tensors, t)
	n.size = append(n.size, 1)
	return len(n.sub.Tensors) - 1
}

// tensor adds a tensor for real numbers of about a size.
func (n *cnn) tensor(kind schema.TensorType, size float64, shape ...int32) int {
	// How many times that size is the largest number there is: seldom so few that most
	// values saturate.
	span := math.Exp(n.uniform(math.Log(1.5), math.Log(5)))
	if n.chance(12) {
		span = n.uniform(0.3, 1)
	}
	zero := int64(n.between(-25, 25))
	switch n.IntN(40) {
	case 0, 1, 2, 3, 4:
		zero = -128
	case 5, 6, 7, 8, 9:
		zero = int64(n.between(-128, 60))
	case 10, 11, 12, 13:
		zero = 0
	case 14:
		zero = 127
	}
	var i int
	if kind == schema.TensorTypeINT16 {
		i = n.fixed(kind, size*span/32767, 0, shape...)
	} else {
		i = n.fixed(kind, size*span/127, zero, shape...)
	}
	n.size[i] = size
	return i
}

// alike adds a tensor of a type and quantisation that there is already.
func (n *cnn) alike(in int, shape ...int32) int {
	q := n.sub.Tensors[in].Quantization
	i := n.fixed(n.kind(in), 1, 0, shape...)
	n.sub.Tensors[i].Quantization, n.size[i] = q, n.size[in]
	return i
}

func (n *cnn) embed(i int, data []byte) int {
	n.data = append(n.data, encode.Buffer{Data: data})
	n.sub.Tensors[i].Buffer = len(n.data)
	return i
}

func (n *cnn) int32s(shape []int32, list ...int32) int {
	var data []byte
	for _, v := range list {
		data = binary.LittleEndian.AppendUint32(data, uint32(v))
	}
	return n.embed(n.fixed(schema.TensorTypeINT32, 0, 0, shape...), data)
}

// constant adds random values of about a size.
func (n *cnn) constant(kind schema.TensorType, size float64, shape ...int32) int {
	i := n.tensor(kind, size, shape...)
	q := n.sub.Tensors[i].Quantization
	var data []byte
	for range count(shape) {
		v := size * n.uniform(-1.7, 1.7)
		switch kind {
		case schema.TensorTypeFLOAT32:
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(v)))
		case schema.TensorTypeINT16:
			v = max(min(math.Round(v/float64(q.Scales[0])), 32767), -32767)
			data = binary.LittleEndian.AppendUint16(data, uint16(int16(v)))
		default:
			v = max(min(math.Round(v/float64(q.Scales[0]))+float64(q.Zeros[0]), 127), -128)
			data = append(data, byte(int8(v)))
		}
	}
	return n.embed(i, data)
}

func count(shape []int32) int {
	c := 1
	for _, d := range shape {
		c *= int(d)
	}
	return c
}

// add adds an operator.
func (n *cnn) add(o encode.Operator, out int, inputs ...int) int {
	o.Inputs, o.Outputs = inputs, []int{out}
	n.sub.Operators = append(n.sub.Operators, o)
	for _, i := range inputs {
		n.read[i] = true
	}
	return out
}

// model returns the network. What nothing reads is an output, and now and then something
// else.
func (n *cnn) model(name string) (*tflite.Model, error) {
	for k, o := range n.sub.Operators {
		out := o.Outputs[0]
		if !n.read[out] || k > 0 && n.chance(25) {
			n.sub.Outputs = append(n.sub.Outputs, out)
		}
	}
	return tflite.Parse(encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{n.sub}, Buffers: n.data}), name)
}
