package transform

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// draft is a random model of one subgraph under construction.
type draft struct {
	*rand.Rand
	model encode.Model
	sub   encode.Subgraph
	// initial assigns the variables their first values.
	initial encode.Subgraph
	// plain gives every operator with weights a bias, and one scale that is a power of two.
	plain bool
}

func newDraft(seed, index uint64) *draft { return &draft{Rand: rand.New(rand.NewPCG(seed, index))} }

// parse returns the model with outputs.
func (d *draft) parse(t testing.TB, outputs ...int) *tflite.Model {
	t.Helper()
	d.sub.Outputs = outputs
	d.model.Subgraphs = []encode.Subgraph{d.sub}
	if len(d.initial.Operators) > 0 {
		d.model.Subgraphs = append(d.model.Subgraphs, d.initial)
		d.model.Subgraphs[0].Operators = append([]encode.Operator{network.CallOnce(1)}, d.sub.Operators...)
	}
	m, err := tflite.Parse(encode.Encode(d.model), "draft")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// some returns one of a list.
func some[T any](d *draft, list ...T) T { return list[d.IntN(len(list))] }

// dim returns a number of elements.
func (d *draft) dim(most int32) int32 { return 1 + d.Int32N(most) }

// quantum returns a scale and a zero point that suit a type.
func (d *draft) quantum(t schema.TensorType) encode.Quantization {
	switch t {
	case i8:
		return encode.Quantization{Scales: []float32{d.scale()}, Zeros: []int64{some(d, 0, -128, 127, int64(d.IntN(256)-128))}}
	case i16:
		return encode.Quantization{Scales: []float32{d.scale() / 256}, Zeros: []int64{0}}
	}
	return encode.Quantization{}
}

func (d *draft) scale() float32 { return float32(math.Exp2(-8 + 4*d.Float64())) }

// tensor adds a tensor that an operator makes.
func (d *draft) tensor(t schema.TensorType, q encode.Quantization, shape ...int32) int {
	d.sub.Tensors = append(d.sub.Tensors, encode.Tensor{Name: string(rune('a' + len(d.sub.Tensors))), Type: t, Shape: shape, Quantization: q})
	return len(d.sub.Tensors) - 1
}

// input adds an input of the graph.
func (d *draft) input(t schema.TensorType, shape ...int32) int {
	i := d.tensor(t, d.quantum(t), shape...)
	d.sub.Inputs = append(d.sub.Inputs, i)
	return i
}

// like adds a tensor with the type and quantisation of another.
func (d *draft) like(t int, shape ...int32) int {
	return d.tensor(d.sub.Tensors[t].Type, d.sub.Tensors[t].Quantization, shape...)
}

// constant adds a constant.
func (d *draft) constant(t schema.TensorType, q encode.Quantization, data []byte, shape ...int32) int {
	i := d.tensor(t, q, shape...)
	d.model.Buffers = append(d.model.Buffers, encode.Buffer{Data: data})
	d.sub.Tensors[i].Buffer = len(d.model.Buffers)
	return i
}

// integers adds a constant INT32 vector, or matrix of pairs.
func (d *draft) integers(list []int32, shape ...int32) int {
	var data []byte
	for _, v := range list {
		data = binary.LittleEndian.AppendUint32(data, uint32(v))
	}
	if len(shape) == 0 {
		shape = []int32{int32(len(list))}
	}
	return d.constant(i32, encode.Quantization{}, data, shape...)
}

// numbers returns random elements of a type: INT32 and INT64 are biases.
func (d *draft) numbers(t schema.TensorType, shape ...int32) (data []byte) {
	for range elements(shape) {
		switch t {
		case f32:
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(d.Float64()*2-1)))
		case i8:
			data = append(data, byte(d.IntN(255)-127))
		case i32:
			data = binary.LittleEndian.AppendUint32(data, uint32(d.Int32N(20000)-10000))
		case i64:
			data = binary.LittleEndian.AppendUint64(data, uint64(d.Int64N(2_000_000)-1_000_000))
		}
	}
	return data
}

// operator adds an operator with one output.
func (d *draft) operator(code schema.BuiltinOperator, kind schema.BuiltinOptions, options func(*flatbuffers.Builder) flatbuffers.UOffsetT, output int, inputs ...int) int {
	d.sub.Operators = append(d.sub.Operators, encode.Operator{
		Builtin: code, Version: version(code), Inputs: inputs, Outputs: []int{output}, OptionsType: kind, Options: options,
	})
	return output
}

// versions are those of operators that are not of version 2.
var versions = map[schema.BuiltinOperator]int32{
	schema.BuiltinOperatorCONV_2D: 3, schema.BuiltinOperatorDEPTHWISE_CONV_2D: 3, schema.BuiltinOperatorFULLY_CONNECTED: 5, schema.BuiltinOperatorRESHAPE: 1,
}

func version(code schema.BuiltinOperator) int32 {
	if v, ok := versions[code]; ok {
		return v
	}
	return 2
}

// set sets a field of options.
func set[T any](add func(*flatbuffers.Builder, T), value T) func(*flatbuffers.Builder) {
	return func(b *flatbuffers.Builder) { add(b, value) }
}

// optionTable returns a writer of options.
func optionTable(start func(*flatbuffers.Builder), end func(*flatbuffers.Builder) flatbuffers.UOffsetT, fields ...func(*flatbuffers.Builder)) func(*flatbuffers.Builder) flatbuffers.UOffsetT {
	return func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
		start(b)
		for _, f := range fields {
			f(b)
		}
		return end(b)
	}
}

// activation returns a fused activation.
func (d *draft) activation() schema.ActivationFunctionType {
	return some(d, schema.ActivationFunctionTypeNONE, schema.ActivationFunctionTypeNONE, schema.ActivationFunctionTypeRELU, schema.ActivationFunctionTypeRELU6)
}

// relu adds a RELU that reads a tensor, and returns its output.
func (d *draft) relu(input int) int {
	return d.operator(schema.BuiltinOperatorRELU, schema.BuiltinOptionsNONE, nil, d.like(input, d.sub.Tensors[input].Shape...), input)
}

// variable adds a variable of random initial value, whose type and quantisation are those of a tensor, and returns its handle and what
// is read from it.
func (d *draft) variable(like int, shape ...int32) (handle, value int) {
	name := string(rune('A' + len(d.initial.Operators)))
	of := func(s *encode.Subgraph) int {
		s.Tensors = append(s.Tensors, encode.Tensor{Name: name, Type: schema.TensorTypeRESOURCE, Shape: []int32{}})
		o := network.VarHandle("", name)
		o.Outputs = []int{len(s.Tensors) - 1}
		s.Operators = append(s.Operators, o)
		return len(s.Tensors) - 1
	}
	h := of(&d.initial)
	first := d.sub.Tensors[like]
	d.model.Buffers = append(d.model.Buffers, encode.Buffer{Data: d.numbers(first.Type, shape...)})
	first.Name, first.Shape, first.Buffer = name+" at first", shape, len(d.model.Buffers)
	d.initial.Tensors = append(d.initial.Tensors, first)
	d.initial.Operators = append(d.initial.Operators, encode.Operator{Builtin: schema.BuiltinOperatorASSIGN_VARIABLE, Inputs: []int{h, h + 1}})
	handle, value = of(&d.sub), d.like(like, shape...)
	d.sub.Operators = append(d.sub.Operators, encode.Operator{Builtin: schema.BuiltinOperatorREAD_VARIABLE, Inputs: []int{handle}, Outputs: []int{value}})
	return handle, value
}

// reshape adds a RESHAPE.
func (d *draft) reshape(input int, shape ...int32) int {
	return d.operator(schema.BuiltinOperatorRESHAPE, schema.BuiltinOptionsNONE, nil, d.like(input, shape...), input, d.integers(shape))
}
