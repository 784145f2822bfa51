package tflite

import "github.com/tflarena/tflarena/schema"

// A Model is a verified model. Its slices must not be changed.
type Model struct {
	// Name is how messages call the model: its path, or "<stdin>".
	Name string
	// Data is the whole file. The model's strings and constant data point into it.
	Data []byte
	// FlatbufferEnd is the byte offset just behind the last byte that the
	// flatbuffer's own tables refer to (half-open).
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
	// Trailing lists the byte ranges behind FlatbufferEnd, in file order.
	Trailing []Range
	// Warnings lists what is unusual about the file without making it invalid.
	Warnings []Warning
}

// A Range is a half-open range of bytes of the file, [Start, End), with what the bytes
// hold.
type Range struct {
	Start, End int64
	// Kind is "buffer" (constant data at an absolute offset), "custom options",
	// "zip" (a zip archive, such as labels), "padding" (zero bytes) or "unknown".
	Kind string
}

// An OperatorCode names one kind of operator that the model uses.
type OperatorCode struct {
	// Builtin is the effective code: the larger of the old and the new field.
	Builtin schema.BuiltinOperator
	// NewField is the new field alone, which is all that some runtimes read to
	// recognise control flow.
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
	// Inputs and Outputs are tensor indexes; -1 is an optional tensor left out.
	Inputs, Outputs []int
	// Damaged is true when the file has options for the operator that could not be
	// verified. They are left out, and a warning says what is wrong with them.
	Damaged bool
	// Intermediates are tensors private to the operator.
	Intermediates []int
	// Subgraphs are the subgraphs the operator's options name, in the order in
	// which they are entered: then and else, condition and body, or the callee.
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
	// HasRank tells a scalar from an unknown rank where Shape is empty; files
	// older than the field have it false in both cases.
	HasRank bool
	// Buffer is the index into Model.Buffers. Zero means no buffer; a model without buffers
	// does not even have index zero, so use [Model.Buffer] to look it up.
	Buffer int
	// Variable tensors keep their contents from one run to the next.
	Variable bool
	// Constant tensors have data: in their buffer or in an external one.
	Constant bool
	// Sparse constants store fewer elements than their shape has.
	Sparse bool
	// ExternalBuffer is the identifier of an external buffer, zero for none.
	ExternalBuffer uint32
	// Input and Output say that the subgraph lists the tensor as such.
	Input, Output bool
	// Returned says that the subgraph or a signature lists the tensor as an output: it must
	// exist when all operators have run.
	Returned bool
	// Producer is the first operator that has the tensor as an output, -1 for none.
	Producer int
	// Consumers are the operators that have it as an input, ascending, each once.
	Consumers []int

	table schema.Tensor
}

// A Buffer holds the data of constants or of metadata.
type Buffer struct {
	// Data is the data, inside or behind the flatbuffer; nil when there is none.
	Data []byte
	// Present says that the file has a data vector for the buffer, which may be empty.
	Present bool
	// Offset is the absolute byte offset of Data in the file, zero where there is no data.
	Offset int64
	// Outside says that the data lies behind the flatbuffer, at an absolute offset.
	Outside bool
}

// Metadata is a buffer under a name, for data that is not part of the graph.
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

// A SignatureTensor is a tensor, given by its index, under the name that a signature gives
// it.
type SignatureTensor struct {
	Name   string
	Tensor int
}
