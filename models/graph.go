package models

import (
	"encoding/binary"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// A graph is a network under construction. Layers are added in execution order. err keeps the
// first layer that does not fit its inputs; everything added after it is meaningless.
type graph struct {
	sub     encode.Subgraph
	buffers []encode.Buffer // of the integer constants, then of the known numbers
	weights []weight
	numbers []numbers
	err     error
}

// A value is the index of a tensor.
type value int

// A weight is a constant tensor of learned numbers, still without data.
type weight struct {
	tensor int
	fanIn  int64 // number of inputs summed into one output
}

// A numbers is a constant float tensor that is part of the architecture.
type numbers struct {
	tensor int
	values []float32
}

func (g *graph) fail(name, format string, args ...any) {
	if g.err == nil {
		g.err = fmt.Errorf("layer %s: %s", name, fmt.Sprintf(format, args...))
	}
}

func (g *graph) shape(x value) []int32 { return g.sub.Tensors[x].Shape }

func (g *graph) tensor(t encode.Tensor) value {
	t.HasRank = true
	g.sub.Tensors = append(g.sub.Tensors, t)
	return value(len(g.sub.Tensors) - 1)
}

func (g *graph) input(name string, shape ...int32) value {
	x := g.tensor(encode.Tensor{Name: name, Shape: shape})
	g.sub.Inputs = append(g.sub.Inputs, int(x))
	return x
}

func (g *graph) output(xs ...value) {
	for _, x := range xs {
		g.sub.Outputs = append(g.sub.Outputs, int(x))
	}
}

// weight adds a float constant; fanIn sets the scale of random values.
func (g *graph) weight(name string, fanIn int32, shape ...int32) value {
	x := g.tensor(encode.Tensor{Name: name, Shape: shape})
	g.weights = append(g.weights, weight{int(x), int64(fanIn)})
	return x
}

// ints adds a constant of 32-bit integers. Runtimes read it to set up an operator, so it is
// always embedded.
func (g *graph) ints(name string, shape []int32, values ...int32) value {
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, uint32(v))
	}
	g.buffers = append(g.buffers, encode.Buffer{Data: data})
	return g.tensor(encode.Tensor{
		Name:   name,
		Type:   schema.TensorTypeINT32,
		Shape:  shape,
		Buffer: len(g.buffers), // encode numbers the buffers from 1
	})
}

// floats adds a float constant that is part of the architecture, such as an epsilon. It is
// always embedded.
func (g *graph) floats(name string, shape []int32, values ...float32) value {
	x := g.tensor(encode.Tensor{Name: name, Shape: shape})
	g.numbers = append(g.numbers, numbers{int(x), values})
	return x
}

// apply adds an operator with one output of the given name and shape.
func (g *graph) apply(o encode.Operator, name string, shape []int32, inputs ...value) value {
	return g.applyAll(o, []string{name}, shape, inputs...)[0]
}

// applyAll adds an operator whose outputs all have the same shape. A negative input is omitted.
func (g *graph) applyAll(o encode.Operator, names []string, shape []int32, inputs ...value) (outputs []value) {
	for _, d := range shape {
		if d < 1 {
			g.fail(names[0], "makes the shape %v", shape)
		}
	}
	for _, x := range inputs {
		o.Inputs = append(o.Inputs, int(x))
	}
	for _, name := range names {
		y := g.tensor(encode.Tensor{Name: name, Shape: slices.Clone(shape)})
		o.Outputs = append(o.Outputs, int(y))
		outputs = append(outputs, y)
	}
	g.sub.Operators = append(g.sub.Operators, o)
	return outputs
}
