package main

import (
	"encoding/binary"
	"fmt"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/schema"
)

// small returns the little models of the tests by name.
func small() map[string][]byte {
	return map[string][]byte{
		"chain":   encode.Encode(chain()),
		"weights": network.Pointwise(32, 64, 256, 48, 16),
		"branch":  encode.Encode(branch()),
		"stack":   encode.Encode(stack()),
		"tiny":    encode.Encode(tiny()),
		"empty":   encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{{Name: "main"}}}),
		"strings": encode.Encode(dynamic()),
		"hostile": encode.Encode(hostile()),
		"loop":    encode.Encode(loop()),
		"overlap": encode.Encode(planned(branch(), 1, 1, 7, 0, 16, -1, -1, -1, -1, -1)),
		"short":   encode.Encode(planned(branch(), 1, 1, 7, 0)),
		"aliased": encode.Encode(planned(custom(), 0, 1, 2, 0, 0)),
		// Plans that say with which kernels they are right, in words that are known or not, and
		// a model that says so without a plan.
		"unmarked": encode.Encode(halfPlanned()),
		"marked":   encode.Encode(withMarker(halfPlanned(), `{"version":1,"alias":"diagonal","kernels":"reference"}`)),
		"remarked": encode.Encode(withMarker(halfPlanned(), `{"version":1,"alias":"other","kernels":"cmsis_nn"}`)),
		"newer":    encode.Encode(withMarker(halfPlanned(), `{"version":2}`)),
		"stray":    encode.Encode(withMarker(branch(), `{"version":1,"alias":"diagonal","kernels":"reference"}`)),
		"vendor":   append(encode.Encode(custom()), "positions that nobody accounts for"...),
		"disorder": encode.Encode(disorder()),
		// LiteRT runs these right, wrong, not at all, and wrong in any order.
		"shared":    encode.Encode(shared(8, 0, 1, 2, 3, 4, 5, 6, 7)),
		"overwrite": encode.Encode(shared(1, 0, 1, 2, 3, 5, 6, 4, 7)),
		"tangled":   encode.Encode(shared(1, 5, 0, 1, 2, 3, 4, 6, 7)),
		"hopeless":  encode.Encode(hopeless()),
		"unnamed":   encode.Encode(unnamed()),
	}
}

func tensor(name string, shape ...int32) encode.Tensor {
	return encode.Tensor{Name: name, Type: schema.TensorTypeINT8, Shape: shape}
}

// quantised is a tensor with a scale, which some kernels require.
func quantised(name string, shape ...int32) encode.Tensor {
	t := tensor(name, shape...)
	t.Quantization = encode.Quantization{Scales: []float32{0.5}, Zeros: []int64{0}}
	return t
}

// tangent is a tensor quantised as TANH has its output.
func tangent(name string, shape ...int32) encode.Tensor {
	t := tensor(name, shape...)
	t.Quantization = encode.Quantization{Scales: []float32{1.0 / 128}, Zeros: []int64{0}}
	return t
}

func operator(code schema.BuiltinOperator, inputs []int, output int) encode.Operator {
	return encode.Operator{Builtin: code, Inputs: inputs, Outputs: []int{output}}
}

// concatenation joins tensors along an axis.
func concatenation(axis int32, inputs []int, output int) encode.Operator {
	o := operator(schema.BuiltinOperatorCONCATENATION, inputs, output)
	o.OptionsType, o.Options = schema.BuiltinOptionsConcatenationOptions, func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
		schema.ConcatenationOptionsStart(b)
		schema.ConcatenationOptionsAddAxis(b, axis)
		return schema.ConcatenationOptionsEnd(b)
	}
	return o
}

// maxPool has windows of a height and a width without padding, so many rows and columns apart.
func maxPool(height, width, down, right int32, input, output int) encode.Operator {
	o := operator(schema.BuiltinOperatorMAX_POOL_2D, []int{input}, output)
	o.OptionsType, o.Options = schema.BuiltinOptionsPool2DOptions, func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
		schema.Pool2DOptionsStart(b)
		schema.Pool2DOptionsAddPadding(b, schema.PaddingVALID)
		schema.Pool2DOptionsAddFilterHeight(b, height)
		schema.Pool2DOptionsAddFilterWidth(b, width)
		schema.Pool2DOptionsAddStrideH(b, down)
		schema.Pool2DOptionsAddStrideW(b, right)
		return schema.Pool2DOptionsEnd(b)
	}
	return o
}

// mean keeps the dimensions that it reduces.
func mean(input, axes, output int) encode.Operator {
	o := operator(schema.BuiltinOperatorMEAN, []int{input, axes}, output)
	o.OptionsType, o.Options = schema.BuiltinOptionsReducerOptions, func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
		schema.ReducerOptionsStart(b)
		schema.ReducerOptionsAddKeepDims(b, true)
		return schema.ReducerOptionsEnd(b)
	}
	return o
}

// chain is three operators in a row with a constant.
func chain() encode.Model {
	places := encode.Tensor{Name: "places", Type: schema.TensorTypeINT32, Shape: []int32{16}, Buffer: 1}
	gather := operator(schema.BuiltinOperatorGATHER, []int{2, 4}, 3)
	gather.OptionsType, gather.Options = schema.BuiltinOptionsGatherOptions, func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
		schema.GatherOptionsStart(b)
		schema.GatherOptionsAddAxis(b, 2)
		return schema.GatherOptionsEnd(b)
	}
	return encode.Model{
		Description: "chain", Buffers: []encode.Buffer{{Data: make([]byte, 4*16)}},
		Subgraphs: []encode.Subgraph{{
			Name:    "main",
			Tensors: []encode.Tensor{tensor("input", 1, 2, 500, 1), tensor("concat", 1, 6, 500, 1), tensor("pool", 1, 1, 500, 1), tensor("output", 1, 1, 16, 1), places},
			Inputs:  []int{0}, Outputs: []int{3},
			Operators: []encode.Operator{concatenation(1, []int{0, 0, 0}, 1), maxPool(6, 1, 1, 1, 1, 2), gather},
		}},
	}
}

// branch is a graph on which TensorFlow Lite Micro's planner needs more than the
// lower bound.
func branch() encode.Model { return branchOf(48, 192) }

// branchOf is branch with tensors of a height and a number of channels.
func branchOf(height, channels int32) encode.Model {
	s := encode.Subgraph{Name: "main", Inputs: []int{0}, Outputs: []int{5}}
	for i, width := range []int32{3, 2, 2, 4, 1, 2} {
		s.Tensors = append(s.Tensors, tangent(string(rune('a'+i)), 1, height, width, channels))
	}
	s.Tensors = append(s.Tensors, encode.Tensor{Name: "axes", Type: schema.TensorTypeINT32, Shape: []int32{1}, Buffer: 1})
	s.Operators = []encode.Operator{
		maxPool(1, 2, 1, 1, 0, 1), operator(schema.BuiltinOperatorTANH, []int{1}, 2), concatenation(2, []int{2, 2}, 3),
		mean(3, 6, 4), concatenation(2, []int{4, 4}, 5),
	}
	return encode.Model{Buffers: []encode.Buffer{{Data: []byte{2, 0, 0, 0}}}, Subgraphs: []encode.Subgraph{s}}
}

// stack is a stack of convolutions over a picture: with its large tensors in pieces it needs
// much less memory.
func stack() encode.Model {
	s := encode.Subgraph{Name: "main", Inputs: []int{0}}
	float := func(name string, buffer int, shape ...int32) int {
		s.Tensors = append(s.Tensors, encode.Tensor{Name: name, Type: schema.TensorTypeFLOAT32, Shape: shape, Buffer: buffer})
		return len(s.Tensors) - 1
	}
	last, buffers := float("picture", 0, 1, 32, 32, 3), []encode.Buffer{}
	for i, side := range []int32{32, 32, 16} {
		in := s.Tensors[last].Shape
		const channels = 8
		buffers = append(buffers, encode.Buffer{Data: make([]byte, 4*channels*3*3*in[3])})
		filter := float(fmt.Sprintf("filter %d", i), len(buffers), channels, 3, 3, in[3])
		out := float(fmt.Sprintf("features %d", i), 0, 1, side, side, channels)
		o := operator(schema.BuiltinOperatorCONV_2D, []int{last, filter, -1}, out)
		o.OptionsType, o.Options = schema.BuiltinOptionsConv2DOptions, strided(in[1]/side)
		s.Operators, last = append(s.Operators, o), out
	}
	s.Outputs = []int{last}
	return encode.Model{Subgraphs: []encode.Subgraph{s}, Buffers: buffers}
}

// strided are the options of a convolution whose windows are so far apart.
func strided(stride int32) func(*flatbuffers.Builder) flatbuffers.UOffsetT {
	return func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
		schema.Conv2DOptionsStart(b)
		schema.Conv2DOptionsAddStrideW(b, stride)
		schema.Conv2DOptionsAddStrideH(b, stride)
		return schema.Conv2DOptionsEnd(b)
	}
}

// unnamed is branch without the identifier of the format.
func unnamed() encode.Model {
	m := branch()
	m.Anonymous = true
	return m
}

// tiny is branch with tensors so small that planning takes more memory than they do.
func tiny() encode.Model { return branchOf(4, 4) }

// dynamic has a tensor without a static size and one without a name.
func dynamic() encode.Model {
	text := tensor("text", 1, 4)
	text.Type = schema.TensorTypeSTRING
	return encode.Model{Subgraphs: []encode.Subgraph{{
		Name: "main", Tensors: []encode.Tensor{text, tensor("", 1, 4)}, Inputs: []int{0}, Outputs: []int{1},
		Operators: []encode.Operator{{Custom: "hash", Inputs: []int{0}, Outputs: []int{1}}},
	}}}
}

// hostile has names that a terminal would obey, and that break CSV and Markdown.
func hostile() encode.Model {
	return encode.Model{Subgraphs: []encode.Subgraph{{
		Name: "main", Tensors: []encode.Tensor{tensor("clear\x1b[2Jscreen", 1, 40), tensor("comma, \"quote\" | pipe\nline", 1, 40)}, Inputs: []int{0}, Outputs: []int{1},
		Operators: []encode.Operator{{Custom: "bell\a", Inputs: []int{0}, Outputs: []int{1}}},
	}}}
}

// loop has two subgraphs that no operator calls.
func loop() encode.Model {
	m := branch()
	m.Subgraphs = append(m.Subgraphs, chain().Subgraphs[0])
	m.Subgraphs[1].Tensors[4].Buffer = 0
	return m
}

// disorder has an operator that reads what the next one makes.
func disorder() encode.Model {
	return encode.Model{Subgraphs: []encode.Subgraph{{
		Name: "main", Tensors: []encode.Tensor{quantised("in", 1, 40), quantised("middle", 1, 40), quantised("out", 1, 40)},
		Inputs: []int{0}, Outputs: []int{2},
		Operators: []encode.Operator{
			operator(schema.BuiltinOperatorHARD_SWISH, []int{1}, 2), operator(schema.BuiltinOperatorHARD_SWISH, []int{0}, 1),
		},
	}}}
}

// shared has two names for what the first operator makes: one branch copies it so many times,
// the other adds to it in LiteRT, which has it overwrite what the first is to copy.
func shared(copies int, order ...int) encode.Model {
	const width, channels = 100, 10
	names := []string{"in", "data", "name", "name 1", "name 2", "copies", "sum", "out 1", "out 2", "one"}
	s := encode.Subgraph{Name: "main", Inputs: []int{0}, Outputs: []int{7, 8}}
	for _, n := range names {
		s.Tensors = append(s.Tensors, tangent(n, 1, 1, width, channels))
	}
	s.Tensors[5].Shape[1] *= int32(copies)
	s.Tensors[8].Shape[2] = width / 4
	s.Tensors[9].Buffer = 1
	var many []int
	for range copies {
		many = append(many, 3)
	}
	operators := []encode.Operator{
		operator(schema.BuiltinOperatorTANH, []int{0}, 1), operator(schema.BuiltinOperatorRESHAPE, []int{1}, 2),
		operator(schema.BuiltinOperatorRESHAPE, []int{2}, 3), operator(schema.BuiltinOperatorRESHAPE, []int{2}, 4),
		concatenation(1, many, 5), operator(schema.BuiltinOperatorADD, []int{4, 9}, 6),
		maxPool(1, 4, 1, 4, 6, 8), maxPool(int32(copies), 1, 1, 1, 5, 7),
	}
	for _, i := range order {
		s.Operators = append(s.Operators, operators[i])
	}
	return encode.Model{Subgraphs: []encode.Subgraph{s}, Buffers: []encode.Buffer{{Data: make([]byte, width*channels)}}}
}

// hopeless has a sum of what LiteRT has overwritten with what it was overwritten with.
func hopeless() encode.Model {
	m := shared(1, 0, 1, 3, 5)
	s := &m.Subgraphs[0]
	s.Outputs = []int{7}
	s.Operators = append(s.Operators, operator(schema.BuiltinOperatorSUB, []int{2, 6}, 7))
	return m
}

// custom is one custom operator.
func custom() encode.Model {
	return encode.Model{Subgraphs: []encode.Subgraph{{
		Name: "main", Tensors: []encode.Tensor{tensor("in", 1, 40), tensor("out", 1, 40)}, Inputs: []int{0}, Outputs: []int{1},
		Operators: []encode.Operator{{Custom: "npu", Inputs: []int{0}, Outputs: []int{1}}},
	}}}
}

// large is a model that takes a while to write, and gains from a plan.
func large(bytes int) []byte {
	m := branch()
	m.Buffers = append(m.Buffers, encode.Buffer{Data: make([]byte, bytes)})
	weights := tensor("weights", int32(bytes))
	weights.Buffer = 2
	m.Subgraphs[0].Tensors = append(m.Subgraphs[0].Tensors, weights)
	return encode.Encode(m)
}

// withMarker adds a marker to a model.
func withMarker(m encode.Model, text string) encode.Model {
	m.Buffers = append(m.Buffers, encode.Buffer{Data: []byte(text)})
	m.Metadata = append(m.Metadata, encode.Metadata{Name: "tflarena_plan", Buffer: len(m.Buffers)})
	return m
}

// planned adds a memory plan to a model, word by word.
func planned(m encode.Model, words ...int32) encode.Model {
	var data []byte
	for _, w := range words {
		data = binary.LittleEndian.AppendUint32(data, uint32(w))
	}
	m.Buffers = append(m.Buffers, encode.Buffer{Data: data})
	m.Metadata = append(m.Metadata, encode.Metadata{Name: "OfflineMemoryAllocation", Buffer: len(m.Buffers)})
	return m
}

// halfPlanned is branch with a plan that places one of its tensors.
func halfPlanned() encode.Model { return planned(branch(), 1, 1, 7, -1, -1, -1, 0, -1, -1, -1) }
