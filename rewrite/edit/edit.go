package edit

import "github.com/tflarena/tflarena/schema"

// An Edit is another graph for one subgraph of a model: it adds tensors and gives a new
// list of operators. Inputs, outputs and everything else of the subgraph stay. [Apply]
// makes the edit.
type Edit struct {
	// Subgraph is its index in the model, from 0.
	Subgraph int
	// Tensors are added behind those of the subgraph: where it has n, the first added
	// tensor has index n.
	Tensors []Tensor
	// Operators are all operators of the subgraph, in execution order.
	Operators []Operator
	// Metadata replaces the entries of its name, nil for none.
	Metadata *Metadata
}

// Metadata is a metadata entry of a model, with a buffer of its own. Its name is not that of a
// memory plan or of its marker, and its data is not empty.
type Metadata struct {
	Name string
	Data []byte
}

// A Tensor is a tensor that an [Edit] adds.
type Tensor struct {
	// Name may be any name, even that of another tensor.
	Name string
	// Shape has dimensions above zero. An empty shape makes a scalar.
	Shape []int32
	// Like is the index of a tensor of the subgraph whose type and quantisation the new
	// tensor has; the table of the quantisation is shared, never copied. Where Like is -1
	// there is no such tensor, and Type says the type.
	Like int
	Type schema.TensorType
	// Data makes the tensor a constant: it has the packed elements, as many as the shape
	// asks for. It is nil for other tensors. Tensors of an edit with the same data share a
	// buffer. Data may be part of the file's own bytes, which are not changed.
	Data []byte
	// Buffer, where it is above zero, is the index of a buffer of the file that holds the
	// tensor's data, at least as much as the shape asks for. Data is nil then.
	Buffer int
	// Channels reduces the quantisation of Like to a range of its channels, where it is per
	// channel; nil takes all of it. The shape has as many elements in the quantised
	// dimension.
	Channels *Range
}

// A Range is a half-open range of channels, [From, To).
type Range struct{ From, To int }

// A Kind says what an operator of an [Edit] is.
type Kind int

const (
	// Keep is an operator of the file as it is, with the same table. An operator can be
	// kept once at most. One that is neither kept nor in pieces is left out.
	Keep Kind = iota
	// Piece is an operator of the file with other tensors. It has the same code and shares
	// the table of options.
	Piece
	// Valid is [Piece] with padding VALID, in options of its own: for CONV_2D,
	// DEPTHWISE_CONV_2D and the pools.
	Valid
	// Pad is PAD. Its inputs are a tensor and the paddings.
	Pad
	// Slice is SLICE. Its inputs are a tensor, begin and size.
	Slice
	// StridedSlice is STRIDED_SLICE without masks. Its inputs are a tensor, begin, end and
	// strides.
	StridedSlice
	// Concatenation is CONCATENATION along Axis.
	Concatenation
)

// Builtin returns the code of the operators that a kind adds: false for those that are the
// file's own.
func (k Kind) Builtin() (schema.BuiltinOperator, bool) {
	n, added := newOperators[k]
	return n.builtin, added
}

// An Operator is an operator of an [Edit]. Tensors are given by index: those of the
// subgraph first, then the added ones; -1 is an optional input that is left out.
type Operator struct {
	Kind Kind
	// Of is the index of the operator of the file that is kept, or that this is a piece of.
	// The other kinds do not use it.
	Of int
	// Inputs and Outputs count for all kinds but [Keep].
	Inputs, Outputs []int
	// Axis is the dimension along which [Concatenation] joins; below zero it counts
	// from the last.
	Axis int
}
