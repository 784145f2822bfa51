package kernels

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A Sharing names the way in which the output of an operator may share memory with an input, in
// TensorFlow Lite Micro's own kernels.
type Sharing string

const (
	// NoSharing permits none.
	NoSharing Sharing = ""
	// Copying is an output that copies the first input and may be placed on it: the kernel copies
	// element by element in order, or in one piece, and does nothing else with the input.
	// (DYNAMIC_UPDATE_SLICE then writes another input into the output.)
	Copying Sharing = "copies"
	// Joining permits the inputs inside the output.
	Joining Sharing = "joins"
	// Taking permits the output inside the input of which it is a part.
	Taking Sharing = "takes"
	// Padding permits an output that ends at the end of a dying input: the kernel writes after what
	// it reads.
	Padding Sharing = "pads"
	// Computing permits the output on a dying input: without broadcasting, the kernel iterates over
	// the elements once and writes each after reading it.
	Computing Sharing = "computes"
	// Branching is IF, which copies to the inputs and from the outputs of its branches.
	Branching Sharing = "branches"
)

// SharingOf returns how operators of a kind may share memory with the reference kernels.
func SharingOf(code schema.BuiltinOperator) Sharing { return builtinRows[code].sharing }

// A librarySharing is the in-place and overlap behaviour of a kernel library. Kernels that it
// does not replace are the reference kernels.
type librarySharing struct {
	// replaced are the operators that it has kernels of its own for, where a tensor that they
	// read has one of these types.
	types    []schema.TensorType
	replaced []schema.BuiltinOperator
	// all reports that only copying kernels are known.
	all bool
	// elements are the replaced operators that compute element by element, so that the output
	// may be in place of an input of the same size. orders are the operators with a measured
	// order, and read those whose order is known only from their source.
	elements     []schema.BuiltinOperator
	orders, read map[schema.BuiltinOperator]kernelOrder
	// copiesAnew reports that its IF copies even if both tensors are at the same address.
	copiesAnew bool
}

// Unmodelled returns another release of the library, with unknown sizes, which permits only copies.
func (l *Library) Unmodelled(release string) *Library {
	other := *l
	other.Version, other.Older, other.sharing = release, nil, Unknown.sharing
	other.Title = l.Summary + ", release " + release + ", which is not modelled"
	return &other
}

// ofUnknownOrder is a release of the library that replaces the same kernels, but with unknown
// order of reads and writes.
func (l *librarySharing) ofUnknownOrder() *librarySharing {
	return &librarySharing{types: l.types, replaced: l.replaced, copiesAnew: l.copiesAnew}
}

// elementsOfBoth are the element-wise kernels of both libraries. (CMSIS-NN 99f736a, ESP-NN
// d45b843: each element is read before it is written, at the same index.)
var elementsOfBoth = []schema.BuiltinOperator{schema.BuiltinOperatorADD, schema.BuiltinOperatorMUL}

var replacedByBoth = []schema.BuiltinOperator{
	schema.BuiltinOperatorADD, schema.BuiltinOperatorMUL, schema.BuiltinOperatorCONV_2D,
	schema.BuiltinOperatorDEPTHWISE_CONV_2D, schema.BuiltinOperatorFULLY_CONNECTED, schema.BuiltinOperatorAVERAGE_POOL_2D,
	schema.BuiltinOperatorMAX_POOL_2D, schema.BuiltinOperatorSOFTMAX,
}

// replaces reports whether the library has its own kernel for an operator with such inputs.
func (l *librarySharing) replaces(code schema.BuiltinOperator, sub *tflite.Subgraph, o *tflite.Operator) bool {
	return l != nil && l.all || l != nil && slices.Contains(l.replaced, code) && slices.ContainsFunc(o.Inputs, func(i int) bool {
		return i >= 0 && slices.Contains(l.types, sub.Tensors[i].Type)
	})
}

// Sharing returns how an operator may share memory with the kernels of the library. own reports
// that the library has a kernel of its own for it.
func (l *Library) Sharing(code schema.BuiltinOperator, sub *tflite.Subgraph, o *tflite.Operator) (kind Sharing, own bool) {
	kind, s := SharingOf(code), l.permits()
	switch {
	case s == nil || kind == Branching && !s.copiesAnew:
		return kind, false
	case kind == Branching:
		return NoSharing, false
	case kind != Padding && kind != Computing || !s.replaces(code, sub, o):
		return kind, false
	case slices.Contains(s.elements, code):
		return kind, true
	}
	return NoSharing, false
}

// Order returns the order in which the kernel of an operator reads and writes. It returns false if
// the order is unknown, or known only from the source and unmeasured is false.
func (l *Library) Order(code schema.BuiltinOperator, sub *tflite.Subgraph, o *tflite.Operator, unmeasured bool) (order Order, known bool) {
	s := l.permits()
	if !s.replaces(code, sub, o) {
		order.kernelOrder = builtinRows[code].order
		return order, order.loops != nil
	}
	order.Own = true
	if order.kernelOrder, known = s.orders[code]; known || !unmeasured {
		return order, known
	}
	order.Unmeasured = true
	order.kernelOrder, known = s.read[code]
	return order, known
}

// OrdersMeasured reports whether runs of the library's kernels have shown in which order they read
// and write.
func (l *Library) OrdersMeasured() bool {
	s := l.permits()
	return s == nil || s.orders != nil
}

// OrdersKnown reports whether the order of reads and writes is known for any of the library's
// kernels, from runs or their source.
func (l *Library) OrdersKnown() bool { return l.OrdersMeasured() || l.permits().read != nil }

// permits returns the behaviour of a library, nil for the reference kernels. A library without one
// permits only copies.
func (l *Library) permits() *librarySharing {
	if l.sharing == nil && l != Reference {
		return Unknown.sharing
	}
	return l.sharing
}
