package tflite

import "github.com/tflarena/tflarena/schema"

// A Model is a verified model. Its slices must not be modified.
type Model struct {
	// Name is the name of the model in messages: its path, or "<stdin>".
	Name string
	// Data is the whole file. The model's strings and constant data point into it.
	Data []byte
	// FlatbufferEnd is the byte offset after the last byte that the flatbuffer's tables refer
	// to (half-open).
	FlatbufferEnd int64
	// Identified is false when the file lacks the identifier "TFL3".
	Identified  bool
	Version     uint32
	Description string

	OperatorCodes []OperatorCode
	Subgraphs     []Subgraph
	Buffers       []Buffer
	Metadata      []Metadata
	Signatures    []Signature
	// Trailing lists the byte ranges after FlatbufferEnd, in file order.
	Trailing []Range
	// Warnings lists unusual properties of the file that do not make it invalid.
	Warnings []Warning
}

// OperatorCount returns the number of operators of all subgraphs.
func (m *Model) OperatorCount() (n int) {
	for i := range m.Subgraphs {
		n += len(m.Subgraphs[i].Operators)
	}
	return n
}

// A Range is a half-open range of bytes of the file, [Start, End), and the kind of its
// contents.
type Range struct {
	Start, End int64
	// Kind is "buffer" (constant data at an absolute offset), "custom options",
	// "zip" (a zip archive, such as labels), "padding" (zero bytes) or "unknown".
	Kind string
}

// An OperatorCode is one kind of operator that the model uses.
type OperatorCode struct {
	// Builtin is the effective code: the larger of the old and the new field.
	Builtin schema.BuiltinOperator
	// NewField is the new field alone. Some runtimes use only this field to recognise control
	// flow.
	NewField schema.BuiltinOperator
	// Custom is the name of a custom operator, otherwise empty.
	Custom  string
	Version int32
}

// A Subgraph is a list of operators in execution order over tensors of its own.
type Subgraph struct {
	Index int
	Name  string
	// Inputs and Outputs are tensor indexes; they may repeat.
	Inputs, Outputs []int
	Tensors         []Tensor
	Operators       []Operator
}

// An Operator is one step of a subgraph.
type Operator struct {
	Index int
	// Code is the index into Model.OperatorCodes.
	Code int
	// Name is the builtin's name, such as "CONV_2D", or the custom code.
	Name string
	// Inputs and Outputs are tensor indexes; -1 is an omitted optional tensor.
	Inputs, Outputs []int
	// Damaged is true if the file has options for the operator that failed verification. They
	// are omitted, and a warning gives the reason.
	Damaged bool
	// Intermediates are tensors private to the operator.
	Intermediates []int
	// Subgraphs are the subgraphs named by the operator's options, in execution order: then and
	// else, condition and body, or the callee.
	Subgraphs []int

	table schema.Operator
}

// A Tensor is one value of a subgraph.
type Tensor struct {
	Index int
	Name  string
	Type  schema.TensorType
	// Shape is the static shape; empty for a scalar and for an unknown rank.
	Shape []int32
	// Signature is the shape with -1 for dynamic dimensions; nil when absent.
	Signature []int32
	// HasRank distinguishes a scalar from an unknown rank if Shape is empty. In files older
	// than the field, it is false in both cases.
	HasRank bool
	// Buffer is the index into Model.Buffers. Zero means no buffer; a model without buffers
	// does not even have index zero, so use [Model.Buffer] for lookups.
	Buffer int
	// Variable tensors keep their contents from one run to the next.
	Variable bool
	// Constant tensors have data, in their buffer or in an external one.
	Constant bool
	// Sparse constants store fewer elements than their shape has.
	Sparse bool
	// ExternalBuffer is the identifier of an external buffer, or zero.
	ExternalBuffer uint32
	// Input and Output report whether the subgraph lists the tensor as an input or output.
	Input, Output bool
	// Returned reports whether the subgraph or a signature lists the tensor as an output, so
	// that it must exist after all operators have run.
	Returned bool
	// Producer is the first operator with the tensor as an output, or -1.
	Producer int
	// Consumers are the operators with the tensor as an input, ascending, without duplicates.
	Consumers []int

	table schema.Tensor
}

// A Buffer holds the data of constants or of metadata.
type Buffer struct {
	// Data is the contents, inside or after the flatbuffer; nil if absent.
	Data []byte
	// Present reports whether the file has a data vector for the buffer, which may be empty.
	Present bool
	// Offset is the absolute byte offset of Data in the file, zero without data.
	Offset int64
	// Outside reports whether the data is stored after the flatbuffer, at an absolute offset.
	Outside bool
}

// Metadata is a named buffer with data outside the graph.
type Metadata struct {
	Name   string
	Buffer int
}

// A Signature names the inputs and outputs of one subgraph.
type Signature struct {
	Key             string
	Subgraph        int
	Inputs, Outputs []SignatureTensor
}

// A SignatureTensor is a tensor index and its name in the signature.
type SignatureTensor struct {
	Name   string
	Tensor int
}
