package edit

import "github.com/tflarena/tflarena/schema"

// An Edit is another graph for one subgraph of a model: tensors are added, and the list
// of operators is a new one. Inputs, outputs and all else of the subgraph stay. [Apply]
// makes it.
type Edit struct {
	// Subgraph is its index in the model, from 0.
	Subgraph int
	// Tensors are added behind the subgraph's own n: the first has index n.
	Tensors []Tensor
	// Operators are all operators of the subgraph, in execution order.
	Operators []Operator
}

// A Tensor is a tensor that an [Edit] adds.
type Tensor struct {
	// Name may be any, also one that another tensor has.
	Name string
	// Shape has dimensions above zero; none make a scalar.
	Shape []int32
	// Like is a tensor of the subgraph whose type and quantisation the new one has; the
	// quantisation's table is shared, never copied. -1 stands for none, and Type counts.
	Like int
	Type schema.TensorType
	// Data makes it a constant: the packed elements, as many as the shape has. Tensors of
	// an edit with the same data share a buffer. Nil is none. It may be part of the file's
	// own bytes, which are not changed.
	Data []byte
	// Buffer is, where it is above zero, the index of a buffer of the file that holds its
	// data, at least as much as the shape asks for; there is no Data then.
	Buffer int
	// Channels cuts the quantisation of Like to a range of its channels, where it is per
	// channel; nil leaves it whole. The shape has as many in the quantised dimension.
	Channels *Range
}

// A Range is a half-open range.
type Range struct{ From, To int }

// A Kind says what an operator of an [Edit] is.
type Kind int

const (
	// Keep is an operator of the file as it is: the same table. Each is kept once at
	// most; one that is neither kept nor in pieces is left out.
	Keep Kind = iota
	// Piece is an operator of the file with other tensors: its code and options, the
	// options' table shared.
	Piece
	// Valid is [Piece] with padding VALID: of CONV_2D, DEPTHWISE_CONV_2D and the
	// pools, in options of its own.
	Valid
	// Pad is PAD: inputs are a tensor and its paddings.
	Pad
	// Slice is SLICE: inputs are a tensor, begin and size.
	Slice
	// StridedSlice is STRIDED_SLICE, with no masks: inputs are a tensor, begin, end
	// and strides.
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

// An Operator is an operator of an [Edit]. Tensors are given by index, those of the
// subgraph first and then the added ones; -1 is an optional input left out.
type Operator struct {
	Kind Kind
	// Of is the operator of the file that is kept or that this is a piece of; the other
	// kinds have none.
	Of int
	// Inputs and Outputs count for all kinds but [Keep].
	Inputs, Outputs []int
	// Axis is the dimension along which [Concatenation] joins; below zero it counts
	// from the last.
	Axis int
}
