package sample

import (
	"archive/zip"
	"bytes"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// Chain returns a model of three consecutive operators over five tensors: in, weight
// (constant), two intermediates and out; each tensor has 16 B, the weight is 4.
func Chain() encode.Model {
	f := func(name string) encode.Tensor { return encode.Tensor{Name: name, Shape: []int32{1, 4}} }
	op := func(in []int, out int) encode.Operator {
		return encode.Operator{Builtin: schema.BuiltinOperatorFULLY_CONNECTED, Inputs: in, Outputs: []int{out}}
	}
	weight := encode.Tensor{Name: "weight", Shape: []int32{1, 4}, Buffer: 1}
	return encode.Model{
		Subgraphs: []encode.Subgraph{{
			Name: "main", Inputs: []int{0}, Outputs: []int{4},
			Tensors:   []encode.Tensor{f("in"), weight, f("a"), f("b"), f("out")},
			Operators: []encode.Operator{op([]int{0, 1}, 2), op([]int{2}, 3), op([]int{3}, 4)},
		}},
		Buffers:  []encode.Buffer{{Data: bytes.Repeat([]byte{7}, 16)}, {Data: []byte("1.5.0")}},
		Metadata: []encode.Metadata{{Name: "min_runtime_version", Buffer: 2}},
	}
}

// WithPlan adds a plan to a model before it is encoded.
func WithPlan(m encode.Model, data []byte) encode.Model {
	return withMetadata(m, planName, data)
}

// WithMarker adds a marker to a model before it is encoded.
func WithMarker(m encode.Model, text string) encode.Model {
	return withMetadata(m, markerName, []byte(text))
}

func withMetadata(m encode.Model, name string, data []byte) encode.Model {
	m.Buffers = append(m.Buffers[:len(m.Buffers):len(m.Buffers)], encode.Buffer{Data: data})
	m.Metadata = append(m.Metadata[:len(m.Metadata):len(m.Metadata)], encode.Metadata{Name: name, Buffer: len(m.Buffers)})
	return m
}

// Marker is a marker's text in unusual formatting, not from this project's writer.
const Marker = ` { "kernels": "reference", "version": 1, "alias": "diagonal" } `

var ChainPlan = []int32{0, -1, 16, 0, 16}

// WithoutBuffers returns a model that has tensors but no vector of buffers.
func WithoutBuffers() []byte {
	b := flatbuffers.NewBuilder(0)
	schema.TensorStart(b)
	tensor := schema.TensorEnd(b)
	b.StartVector(4, 1, 4)
	b.PrependUOffsetT(tensor)
	tensors := b.EndVector(1)
	schema.SubGraphStart(b)
	schema.SubGraphAddTensors(b, tensors)
	subgraph := schema.SubGraphEnd(b)
	b.StartVector(4, 1, 4)
	b.PrependUOffsetT(subgraph)
	subgraphs := b.EndVector(1)
	schema.ModelStart(b)
	schema.ModelAddVersion(b, schema.Version)
	schema.ModelAddSubgraphs(b, subgraphs)
	b.FinishWithFileIdentifier(schema.ModelEnd(b), []byte(schema.Identifier))
	return b.FinishedBytes()
}

// Fork returns a model in which operators 0 and 1 read the input, 2 reads the output of 0, and
// 3 reads both outputs of 1 and 2.
func Fork() encode.Model {
	m := Chain()
	op := func(in []int, out int) encode.Operator {
		return encode.Operator{Builtin: schema.BuiltinOperatorADD, Inputs: in, Outputs: []int{out}}
	}
	s := &m.Subgraphs[0]
	s.Tensors = append(s.Tensors, encode.Tensor{Name: "side", Shape: []int32{2, 4}})
	s.Operators = []encode.Operator{
		op([]int{0, 1}, 2),
		{Builtin: schema.BuiltinOperatorCONCATENATION, Inputs: []int{0, 0}, Outputs: []int{5}},
		op([]int{2}, 3), op([]int{3, 5}, 4),
	}
	return m
}

// Behind appends tail to the encoded model. The model is built with the position that tail will
// have.
func Behind(source func(at uint64) encode.Model, tail []byte) []byte {
	at := uint64(len(encode.Encode(source(1 << 20))))
	return append(encode.Encode(source(at)), tail...)
}

// LargeOptions returns a model whose only operator has its options at file position at.
func LargeOptions(at uint64) []byte {
	b := flatbuffers.NewBuilder(0)
	vector := func(o flatbuffers.UOffsetT) flatbuffers.UOffsetT {
		b.StartVector(4, 1, 4)
		b.PrependUOffsetT(o)
		return b.EndVector(1)
	}
	name := b.CreateString("Mine")
	schema.OperatorCodeStart(b)
	schema.OperatorCodeAddBuiltinCode(b, schema.BuiltinOperatorCUSTOM)
	schema.OperatorCodeAddCustomCode(b, name)
	codes := vector(schema.OperatorCodeEnd(b))
	schema.OperatorStart(b)
	schema.OperatorAddLargeCustomOptionsOffset(b, at)
	schema.OperatorAddLargeCustomOptionsSize(b, 8)
	operators := vector(schema.OperatorEnd(b))
	schema.SubGraphStart(b)
	schema.SubGraphAddOperators(b, operators)
	subgraphs := vector(schema.SubGraphEnd(b))
	schema.ModelStart(b)
	schema.ModelAddVersion(b, schema.Version)
	schema.ModelAddOperatorCodes(b, codes)
	schema.ModelAddSubgraphs(b, subgraphs)
	b.FinishWithFileIdentifier(schema.ModelEnd(b), []byte(schema.Identifier))
	return b.FinishedBytes()
}

// Archive returns a zip of two files with positions relative to base.
func Archive(t TB, base int64) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.SetOffset(base)
	for _, name := range []string{"labels.txt", "vocabulary.txt"} {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(bytes.Repeat([]byte(name), 20)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.SetComment("of the model"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
