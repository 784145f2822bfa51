package fit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A drawing is a small network of random layers under construction.
type drawing struct {
	*rand.Rand
	sub     encode.Subgraph
	buffers []encode.Buffer
}

// draw returns a network of convolutions, with sums of what is of one shape.
func draw(t *testing.T, seed uint64) *tflite.Model {
	t.Helper()
	d := &drawing{Rand: rand.New(rand.NewPCG(seed, 7))}
	side := int32(4 + 2*d.IntN(3))
	last := d.tensor("input", 0, 1, side, side, int32(1+d.IntN(3)))
	d.sub.Inputs = []int{last}
	for i := range 2 + d.IntN(4) {
		y := d.convolution(i, last)
		if x := d.like(y); x >= 0 && d.IntN(2) == 0 {
			y = d.add(x, y)
		}
		last = y
	}
	d.sub.Outputs = []int{last}
	data := encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{d.sub}, Buffers: d.buffers})
	m, err := tflite.Parse(data, fmt.Sprint("network ", seed))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func (d *drawing) tensor(name string, buffer int, shape ...int32) int {
	d.sub.Tensors = append(d.sub.Tensors, encode.Tensor{Name: name, Shape: shape, HasRank: true, Buffer: buffer})
	return len(d.sub.Tensors) - 1
}

func (d *drawing) constant(shape ...int32) int {
	n := int32(4)
	for _, s := range shape {
		n *= s
	}
	d.buffers = append(d.buffers, encode.Buffer{Data: make([]byte, n)})
	return d.tensor("constant", len(d.buffers), shape...)
}

// convolution adds one that keeps the size or halves it.
func (d *drawing) convolution(i, x int) int {
	in := d.sub.Tensors[x].Shape
	stride, channels, kernel := int32(1), int32(1+d.IntN(6)), int32(1+2*d.IntN(2))
	if d.IntN(3) == 0 && in[1] >= 4 {
		stride = 2
	}
	weights, bias := d.constant(channels, kernel, kernel, in[3]), d.constant(channels)
	y := d.tensor(fmt.Sprint("layer ", i), 0, 1, (in[1]+stride-1)/stride, (in[2]+stride-1)/stride, channels)
	d.sub.Operators = append(d.sub.Operators, encode.Operator{
		Builtin: schema.BuiltinOperatorCONV_2D, Inputs: []int{x, weights, bias}, Outputs: []int{y},
		OptionsType: schema.BuiltinOptionsConv2DOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.Conv2DOptionsStart(b)
			schema.Conv2DOptionsAddStrideW(b, stride)
			schema.Conv2DOptionsAddStrideH(b, stride)
			schema.Conv2DOptionsAddDilationWFactor(b, 1)
			schema.Conv2DOptionsAddDilationHFactor(b, 1)
			return schema.Conv2DOptionsEnd(b)
		},
	})
	return y
}

// like returns a tensor that some layer makes, of the shape of another, -1 for none.
func (d *drawing) like(y int) int {
	for _, op := range d.sub.Operators[:len(d.sub.Operators)-1] {
		if x := op.Outputs[0]; fmt.Sprint(d.sub.Tensors[x].Shape) == fmt.Sprint(d.sub.Tensors[y].Shape) {
			return x
		}
	}
	return -1
}

func (d *drawing) add(x, y int) int {
	z := d.tensor("sum", 0, d.sub.Tensors[y].Shape...)
	d.sub.Operators = append(d.sub.Operators, encode.Operator{
		Builtin: schema.BuiltinOperatorADD, Inputs: []int{x, y}, Outputs: []int{z},
		OptionsType: schema.BuiltinOptionsAddOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.AddOptionsStart(b)
			return schema.AddOptionsEnd(b)
		},
	})
	return z
}
