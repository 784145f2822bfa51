// Package encode writes TensorFlow Lite models from plain structs: the networks of package models, and
// the small models of tests, which are more readable as structs than as hex.
package encode

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/schema"
)

// A Model is the contents of a file. Buffer 0 is the empty sentinel that the format requires; the given
// buffers follow it, so that Buffers[0] is buffer 1.
type Model struct {
	Description string
	Subgraphs   []Subgraph
	Buffers     []Buffer
	Metadata    []Metadata
	Signatures  []Signature
	// External are external buffers; their identifiers count from 1.
	External []ExternalBuffer
	// Version is Model.version; zero means [schema.Version].
	Version uint32
	// Anonymous omits the file identifier.
	Anonymous bool
	// Tail is appended after the flatbuffer.
	Tail []byte
}

// A Buffer is embedded data, or an absolute position after the flatbuffer.
type Buffer struct {
	// Data is written unchanged; nil writes no data vector, an empty slice an empty one.
	Data         []byte
	Offset, Size uint64
	// Last, when it is not 0, is the length in bytes of data at the end of the flatbuffer, which
	// replaces Data. It is never copied: Fill writes it in place, over zeros, buffer by buffer in
	// order. The zeros of a Fill that writes nothing are never touched, so that they take no memory.
	Last int64
	Fill func([]byte)
}

// A Subgraph is a list of operators over tensors.
type Subgraph struct {
	Name            string
	Tensors         []Tensor
	Inputs, Outputs []int
	Operators       []Operator
}

// A Tensor refers to its buffer by index: 0 for none.
type Tensor struct {
	Name     string
	Type     schema.TensorType
	Shape    []int32
	Dynamic  []int32 // shape_signature
	HasRank  bool
	Buffer   int
	Variable bool
	External int // identifier of an external buffer
	// Quantization is written if it has scales.
	Quantization Quantization
}

// An Operator is identified by its builtin code, or by Custom if set.
type Operator struct {
	Builtin schema.BuiltinOperator
	// Old stores the code only in the deprecated field, as old converters did.
	Old     bool
	Custom  string
	Version int32 // zero means 1

	Inputs, Outputs, Intermediates []int
	// Options writes the option table of the type OptionsType.
	OptionsType schema.BuiltinOptions
	Options     func(*flatbuffers.Builder) flatbuffers.UOffsetT
	// Options2 writes the option table of the type Options2Type, which the newest operators have
	// instead.
	Options2Type schema.BuiltinOptions2
	Options2     func(*flatbuffers.Builder) flatbuffers.UOffsetT
	// CustomOptions are the options of a custom operator; nil writes none.
	CustomOptions []byte
}

// Metadata is a named blob.
type Metadata struct {
	Name   string
	Buffer int
}

// A Signature names the tensors of a subgraph's inputs and outputs.
type Signature struct {
	Key             string
	Subgraph        int
	Inputs, Outputs map[string]int
}

// An ExternalBuffer is constant data in another file.
type ExternalBuffer struct {
	Group          string
	Offset, Length uint64
}

// Encode returns the bytes of the model file.
func Encode(m Model) []byte {
	w := writer{b: flatbuffers.NewBuilder(4096), codes: map[code]int{}, quantizations: map[string]flatbuffers.UOffsetT{}}
	// Data comes first so that it ends up last in the file, after the tables.
	buffers := w.buffers(m.Buffers)
	var subgraphs []flatbuffers.UOffsetT
	for _, s := range m.Subgraphs {
		subgraphs = append(subgraphs, w.subgraph(s))
	}
	w.model(m, buffers, schema.CreateTables(w.b, subgraphs))
	return append(appendLast(w.b.FinishedBytes(), m.Buffers), m.Tail...)
}

type code struct {
	builtin schema.BuiltinOperator
	old     bool
	custom  string
	version int32
}

type writer struct {
	b     *flatbuffers.Builder
	codes map[code]int
	order []code

	quantizations map[string]flatbuffers.UOffsetT // tables that are written once
}

func (w *writer) model(m Model, buffers, subgraphs flatbuffers.UOffsetT) {
	b := w.b
	codes := w.operatorCodes()
	description := b.CreateString(m.Description)
	metadata := w.metadata(m.Metadata)
	signatures := w.signatures(m.Signatures)
	groups, external := w.external(m.External)
	schema.ModelStart(b)
	version := m.Version
	if version == 0 {
		version = schema.Version
	}
	schema.ModelAddVersion(b, version)
	schema.ModelAddOperatorCodes(b, codes)
	schema.ModelAddSubgraphs(b, subgraphs)
	schema.ModelAddDescription(b, description)
	schema.ModelAddBuffers(b, buffers)
	addIf(metadata, func() { schema.ModelAddMetadata(b, metadata) })
	addIf(signatures, func() { schema.ModelAddSignatureDefs(b, signatures) })
	addIf(groups, func() { schema.ModelAddExternalBufferGroups(b, groups) })
	addIf(external, func() { schema.ModelAddExternalBuffers(b, external) })
	root := schema.ModelEnd(b)
	if m.Anonymous {
		b.Finish(root)
		return
	}
	b.FinishWithFileIdentifier(root, []byte(schema.Identifier))
}

func addIf(o flatbuffers.UOffsetT, add func()) {
	if o != 0 {
		add()
	}
}

func (w *writer) buffers(list []Buffer) flatbuffers.UOffsetT {
	b := w.b
	schema.BufferStart(b)
	offsets := []flatbuffers.UOffsetT{schema.BufferEnd(b)}
	for _, buf := range list {
		var data flatbuffers.UOffsetT
		switch {
		case buf.Last > 0:
			data = b.CreateByteVector(nil) // a place for the offset, which appendLast sets
		case buf.Data != nil:
			data = schema.CreateData(b, buf.Data)
		}
		schema.BufferStart(b)
		addIf(data, func() { schema.BufferAddData(b, data) })
		schema.BufferAddOffset(b, buf.Offset)
		schema.BufferAddSize(b, buf.Size)
		offsets = append(offsets, schema.BufferEnd(b))
	}
	return schema.CreateTables(w.b, offsets)
}

func (w *writer) subgraph(s Subgraph) flatbuffers.UOffsetT {
	b := w.b
	var tensors, operators []flatbuffers.UOffsetT
	for _, t := range s.Tensors {
		tensors = append(tensors, w.tensor(t))
	}
	for _, o := range s.Operators {
		operators = append(operators, w.operator(o))
	}
	tv, ov := schema.CreateTables(w.b, tensors), schema.CreateTables(w.b, operators)
	in, out := w.ints(s.Inputs), w.ints(s.Outputs)
	name := b.CreateString(s.Name)
	schema.SubGraphStart(b)
	schema.SubGraphAddTensors(b, tv)
	schema.SubGraphAddInputs(b, in)
	schema.SubGraphAddOutputs(b, out)
	schema.SubGraphAddOperators(b, ov)
	schema.SubGraphAddName(b, name)
	return schema.SubGraphEnd(b)
}

func (w *writer) tensor(t Tensor) flatbuffers.UOffsetT {
	b := w.b
	var shape, signature flatbuffers.UOffsetT
	if t.Shape != nil {
		shape = schema.CreateInt32s(w.b, t.Shape)
	}
	if t.Dynamic != nil {
		signature = schema.CreateInt32s(w.b, t.Dynamic)
	}
	quantization := w.quantization(t.Quantization)
	name := b.CreateString(t.Name)
	schema.TensorStart(b)
	addIf(shape, func() { schema.TensorAddShape(b, shape) })
	addIf(signature, func() { schema.TensorAddShapeSignature(b, signature) })
	schema.TensorAddType(b, t.Type)
	schema.TensorAddBuffer(b, uint32(t.Buffer))
	schema.TensorAddName(b, name)
	addIf(quantization, func() { schema.TensorAddQuantization(b, quantization) })
	schema.TensorAddIsVariable(b, t.Variable)
	schema.TensorAddHasRank(b, t.HasRank)
	schema.TensorAddExternalBuffer(b, uint32(t.External))
	return schema.TensorEnd(b)
}

func (w *writer) operator(o Operator) flatbuffers.UOffsetT {
	b := w.b
	index := w.code(o)
	in, out := w.ints(o.Inputs), w.ints(o.Outputs)
	var intermediates, options, options2, custom flatbuffers.UOffsetT
	if o.Intermediates != nil {
		intermediates = w.ints(o.Intermediates)
	}
	if o.Options != nil {
		options = o.Options(b)
	}
	if o.Options2 != nil {
		options2 = o.Options2(b)
	}
	if o.CustomOptions != nil {
		custom = b.CreateByteVector(o.CustomOptions)
	}
	schema.OperatorStart(b)
	schema.OperatorAddOpcodeIndex(b, uint32(index))
	schema.OperatorAddInputs(b, in)
	schema.OperatorAddOutputs(b, out)
	addIf(intermediates, func() { schema.OperatorAddIntermediates(b, intermediates) })
	addIf(options, func() {
		schema.OperatorAddBuiltinOptionsType(b, o.OptionsType)
		schema.OperatorAddBuiltinOptions(b, options)
	})
	addIf(options2, func() {
		schema.OperatorAddBuiltinOptions2Type(b, o.Options2Type)
		schema.OperatorAddBuiltinOptions2(b, options2)
	})
	addIf(custom, func() { schema.OperatorAddCustomOptions(b, custom) })
	return schema.OperatorEnd(b)
}
