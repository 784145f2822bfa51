package network

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// Convolutions returns a model file, deterministic for a seed: a few convolutions of floats, with sums
// of tensors of one shape, and zero weights. The picture has times 4 to 8 rows and columns: the more,
// the larger are tensors compared with the runtime's memory for each operator.
func Convolutions(seed uint64, times int32) []byte {
	s := &convolutionStack{Rand: rand.New(rand.NewPCG(seed, 7))}
	side := times * int32(4+2*s.IntN(3))
	last := s.tensor("input", 0, 1, side, side, int32(1+s.IntN(3)))
	s.sub.Inputs = []int{last}
	for i := range 2 + s.IntN(4) {
		y := s.convolution(i, last)
		if x := s.like(y); x >= 0 && s.IntN(2) == 0 {
			y = s.add(x, y)
		}
		last = y
	}
	s.sub.Outputs = []int{last}
	return encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{s.sub}, Buffers: s.buffers})
}

// A convolutionStack is a network of convolutions under construction.
type convolutionStack struct {
	*rand.Rand
	sub     encode.Subgraph
	buffers []encode.Buffer
	// weighted fills constants with random numbers instead of zeros.
	weighted bool
}

func (s *convolutionStack) tensor(name string, buffer int, shape ...int32) int {
	s.sub.Tensors = append(s.sub.Tensors, encode.Tensor{Name: name, Shape: shape, HasRank: true, Buffer: buffer})
	return len(s.sub.Tensors) - 1
}

func (s *convolutionStack) constant(shape ...int32) int {
	data := make([]byte, 4*count(shape))
	for i := 0; s.weighted && i < len(data); i += 4 {
		binary.LittleEndian.PutUint32(data[i:], math.Float32bits(float32(s.IntN(17)-8)/16))
	}
	return s.embed(s.tensor("constant", 0, shape...), data)
}

func (s *convolutionStack) embed(t int, data []byte) int {
	s.buffers = append(s.buffers, encode.Buffer{Data: data})
	s.sub.Tensors[t].Buffer = len(s.buffers)
	return t
}

// convolution adds one that keeps the size or halves it.
func (s *convolutionStack) convolution(i, x int) int {
	in := s.sub.Tensors[x].Shape
	stride, channels, kernel := int32(1), int32(1+s.IntN(6)), int32(1+2*s.IntN(2))
	if s.IntN(3) == 0 && in[1] >= 4 {
		stride = 2
	}
	weights, bias := s.constant(channels, kernel, kernel, in[3]), s.constant(channels)
	y := s.tensor(fmt.Sprint("layer ", i), 0, 1, (in[1]+stride-1)/stride, (in[2]+stride-1)/stride, channels)
	s.sub.Operators = append(s.sub.Operators, encode.Operator{
		Builtin: schema.BuiltinOperatorCONV_2D, Inputs: []int{x, weights, bias}, Outputs: []int{y},
		OptionsType: schema.BuiltinOptionsConv2DOptions,
		Options:     func(b *flatbuffers.Builder) flatbuffers.UOffsetT { return strides(b, stride) },
	})
	return y
}

// like returns a layer's output of the same shape as another tensor, or -1.
func (s *convolutionStack) like(y int) int {
	for _, op := range s.sub.Operators[:len(s.sub.Operators)-1] {
		if len(op.Outputs) == 0 || op.Builtin == schema.BuiltinOperatorVAR_HANDLE {
			continue
		}
		if x := op.Outputs[0]; fmt.Sprint(s.sub.Tensors[x].Shape) == fmt.Sprint(s.sub.Tensors[y].Shape) {
			return x
		}
	}
	return -1
}

func (s *convolutionStack) add(x, y int) int {
	z := s.tensor("sum", 0, s.sub.Tensors[y].Shape...)
	s.sub.Operators = append(s.sub.Operators, encode.Operator{
		Builtin: schema.BuiltinOperatorADD, Inputs: []int{x, y}, Outputs: []int{z},
		OptionsType: schema.BuiltinOptionsAddOptions,
		Options:     empty(schema.AddOptionsStart, schema.AddOptionsEnd),
	})
	return z
}
