package edit

import "github.com/tflarena/tflarena/schema"

// Edit replaces the graph of one subgraph: it adds, restores or removes tensors and lists all
// operators anew. Inputs, outputs and everything else of the subgraph stay. [Apply] applies it.
type Edit struct {
	// Subgraph is the index in the model, from 0.
	Subgraph int
	// Tensors are appended to the subgraph's: after n existing tensors, the first one added has
	// index n.
	Tensors []Tensor
	// Reshaped are tensors of the subgraph that get another shape.
	Reshaped []Reshaped
	// Removed is the number of tensors removed from the end of the subgraph's list. An edit that
	// removes tensors adds none.
	Removed int
	// Operators are all operators of the subgraph, in execution order.
	Operators []Operator
	// Metadata replaces the entries of its name, and removes them if it has no data; nil changes
	// none.
	Metadata *Metadata
}

// Metadata is a metadata entry with its own buffer. Its name must not be a memory plan's or a
// marker's.
type Metadata struct {
	Name string
	Data []byte
}

// Tensor is a tensor added by an [Edit].
type Tensor struct {
	// Name need not be unique.
	Name string
	// Shape has positive dimensions. An empty shape makes a scalar.
	Shape []int32
	// Like is the index of a tensor of the subgraph whose type and quantisation the new tensor
	// has, or -1 to use Type without quantisation. The quantisation table is shared, never
	// copied.
	Like int
	Type schema.TensorType
	// Data makes the tensor a constant: its packed elements, matching the shape. It is nil for
	// other tensors. Tensors of an edit with equal data share a buffer. Data may alias the
	// file's own bytes, which are not modified.
	Data []byte
	// Buffer, if positive, is the index of a buffer of the file with the tensor's data, at
	// least as many bytes as the shape requires. Data is nil then.
	Buffer int
	// Channels selects a range of channels of Like's per-channel quantisation; nil selects all.
	// The quantised dimension of Shape must have the same length.
	Channels *Range
	// Quantisation is that of a tensor without Like, nil for none.
	Quantisation *Quantisation
}

// Quantisation is the quantisation of an added tensor: real = (stored - zero point) * scale.
type Quantisation struct {
	// Scales and Zeros have one element each, or as many as the tensor's dimension Dimension.
	Scales    []float32
	Zeros     []int64
	Dimension int
}

// Reshaped gives a tensor of the file another shape. It has no elements in the file, because [Apply] left it
// without any, and nothing uses it; or it is a constant with as many elements, and keeps its data; or it is a
// constant that no kept operator reads, and gets other data; or an operator writes as many elements, and
// only operators read them.
type Reshaped struct {
	// Tensor is the index in the subgraph.
	Tensor int
	// Shape has positive dimensions.
	Shape []int32
	// Data makes a tensor without elements a constant, or replaces a constant's data: its packed elements, matching
	// the shape.
	Data []byte
	// Like are the tensors of the subgraph whose quantisation the tensor gets: per channel, the
	// parameters of all of them one after another. Without any, the tensor keeps its own.
	Like []int
}

// Range is a half-open range of channels, [From, To).
type Range struct{ From, To int }

// Kind is the kind of an operator of an [Edit].
type Kind int

const (
	// Keep is an operator of the file with its table unchanged. An operator can be kept at most
	// once. One neither kept nor replaced by pieces is dropped.
	Keep Kind = iota
	// Piece is an operator of the file with other tensors and the same code. Its options table is
	// the same, or a copy with the fields of Options.
	Piece
	// Same and Valid are [Piece] with that padding in an options table of their own, for CONV_2D,
	// DEPTHWISE_CONV_2D and the pools.
	Same
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
	// Bare is PAD or PADV2 with the operator code Code of the file, without options.
	Bare
	// New is the operator Builtin with an options table of its own, which has the fields of Options;
	// the others have their defaults. [CanAdd] lists the operators that can be added.
	New
)

// ofFile reports whether an operator of the kind is one of the file, unchanged or with other
// tensors.
func (k Kind) ofFile() bool { return k <= Valid }

// added are the operators of the kinds that stand for one operator.
var added = map[Kind]schema.BuiltinOperator{
	Pad: schema.BuiltinOperatorPAD, Slice: schema.BuiltinOperatorSLICE, StridedSlice: schema.BuiltinOperatorSTRIDED_SLICE,
	Concatenation: schema.BuiltinOperatorCONCATENATION,
}

// Builtin returns the operator code of a kind that stands for one added operator, or false.
func (k Kind) Builtin() (schema.BuiltinOperator, bool) {
	code, ok := added[k]
	return code, ok
}

// adds returns the operator code of an operator that is not of the file, or false.
func (op *Operator) adds() (schema.BuiltinOperator, bool) {
	if op.Kind == New {
		return op.Builtin, true
	}
	return op.Kind.Builtin()
}

// Operator is an operator of an [Edit]. Tensors are given by index: the subgraph's first, then
// the added ones; -1 is an omitted optional input.
type Operator struct {
	Kind Kind
	// Of is the index of the operator of the file that is kept or copied. The other kinds
	// ignore it.
	Of int
	// Inputs and Outputs apply to all kinds except [Keep].
	Inputs, Outputs []int
	// Axis is the dimension along which [Concatenation] joins; negative values count from the
	// last.
	Axis int
	// Code is the index of the operator code of [Bare].
	Code int
	// Builtin is the operator of [New]. Options are the fields of its options table, and those of a
	// [Piece] that differ from the operator of the file.
	Builtin schema.BuiltinOperator
	Options []Option
	// Shape is the new shape in the options of a [New] RESHAPE, at most one of whose dimensions is -1.
	Shape []int32
}

// Option is a number in the options table of an operator.
type Option struct {
	// Field is the field's id in the schema's table of the options.
	Field int
	// Value is the number. Of a real number it is the bits.
	Value int64
}
