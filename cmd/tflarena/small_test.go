package main

import (
	"encoding/binary"
	"fmt"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// small returns the little models of the tests by name.
func small() map[string][]byte {
	return map[string][]byte{
		"chain":   encode.Encode(chain()),
		"branch":  encode.Encode(branch()),
		"stack":   encode.Encode(stack()),
		"tiny":    encode.Encode(tiny()),
		"empty":   encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{{Name: "main"}}}),
		"strings": encode.Encode(dynamic()),
		"hostile": encode.Encode(hostile()),
		"loop":    encode.Encode(loop()),
		"overlap": encode.Encode(planned(branch(), 1, 1, 7, 0, 0, -1, -1, -1, -1, -1)),
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

// chain is three operators in a row with a constant.
func chain() encode.Model {
	weights := tensor("weights", 1, 16)
	weights.Buffer = 1
	return encode.Model{
		Description: "chain", Buffers: []encode.Buffer{{Data: make([]byte, 16)}},
		Subgraphs: []encode.Subgraph{{
			Name:    "main",
			Tensors: []encode.Tensor{tensor("input", 1, 1000), tensor("conv/Relu", 1, 3000), tensor("pool", 1, 500), tensor("output", 1, 16), weights},
			Inputs:  []int{0}, Outputs: []int{3},
			Operators: []encode.Operator{
				operator(schema.BuiltinOperatorRELU, []int{0}, 1), operator(schema.BuiltinOperatorRELU6, []int{1}, 2), operator(schema.BuiltinOperatorMAXIMUM, []int{2, 4}, 3),
			},
		}},
	}
}

// branch is a graph on which TensorFlow Lite Micro's planner needs more than the
// lower bound.
func branch() encode.Model {
	axes := encode.Tensor{Name: "axes", Type: schema.TensorTypeINT32, Shape: []int32{2}, Buffer: 1}
	return encode.Model{Buffers: []encode.Buffer{{Data: []byte{1, 0, 0, 0, 2, 0, 0, 0}}}, Subgraphs: []encode.Subgraph{{
		Name: "main",
		Tensors: []encode.Tensor{
			tensor("a", 1, 96, 96, 3), tensor("b", 1, 48, 48, 8), tangent("c", 1, 48, 48, 8), quantised("d", 1, 48, 48, 16), tensor("e", 1, 24, 24, 16), tensor("f", 1, 24, 24, 32), axes,
		},
		Inputs: []int{0}, Outputs: []int{5},
		Operators: []encode.Operator{
			operator(schema.BuiltinOperatorRELU, []int{0}, 1), operator(schema.BuiltinOperatorTANH, []int{1}, 2), operator(schema.BuiltinOperatorHARD_SWISH, []int{2}, 3),
			operator(schema.BuiltinOperatorMEAN, []int{3, 6}, 4), operator(schema.BuiltinOperatorRELU6, []int{4}, 5),
		},
	}}}
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
func tiny() encode.Model {
	m := branch()
	for i, size := range []int32{48, 32, 32, 64, 16, 32} {
		m.Subgraphs[0].Tensors[i].Shape = []int32{1, 1, 1, size}
	}
	return m
}

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
	const size = 1000
	names := []string{"in", "data", "name", "name 1", "name 2", "copies", "sum", "out 1", "out 2", "one"}
	s := encode.Subgraph{Name: "main", Inputs: []int{0}, Outputs: []int{7, 8}}
	for _, n := range names {
		s.Tensors = append(s.Tensors, tangent(n, 1, size))
	}
	s.Tensors[5].Shape[1] *= int32(copies)
	s.Tensors[8].Shape[1] = size / 4
	s.Tensors[9].Buffer = 1
	concatenation := operator(schema.BuiltinOperatorCONCATENATION, nil, 5)
	for range copies {
		concatenation.Inputs = append(concatenation.Inputs, 3)
	}
	operators := []encode.Operator{
		operator(schema.BuiltinOperatorTANH, []int{0}, 1), operator(schema.BuiltinOperatorRESHAPE, []int{1}, 2),
		operator(schema.BuiltinOperatorRESHAPE, []int{2}, 3), operator(schema.BuiltinOperatorRESHAPE, []int{2}, 4),
		concatenation, operator(schema.BuiltinOperatorADD, []int{4, 9}, 6),
		operator(schema.BuiltinOperatorMAX_POOL_2D, []int{6}, 8), operator(schema.BuiltinOperatorMAX_POOL_2D, []int{5}, 7),
	}
	for _, i := range order {
		s.Operators = append(s.Operators, operators[i])
	}
	return encode.Model{Subgraphs: []encode.Subgraph{s}, Buffers: []encode.Buffer{{Data: make([]byte, size)}}}
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
