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

// Unmodelled returns another release of the library, with unknown sizes, which permits only copies.
func (l *Library) Unmodelled(release string) *Library {
	other := *l
	other.Version, other.Older, other.types, other.kernels = release, nil, nil, ofUnknownOrder(l.kernels)
	other.Title = l.Summary + ", release " + release + ", which is not modelled"
	return &other
}

// ofUnknownOrder are kernels that request the same, but with unknown order of reads and writes.
func ofUnknownOrder(kernels map[schema.BuiltinOperator]row) map[schema.BuiltinOperator]row {
	list := map[schema.BuiltinOperator]row{}
	for code, r := range kernels {
		list[code] = row{memory: r.memory}
	}
	return list
}

// copiesOnly reports that only the kernels that copy are known.
func (l *Library) copiesOnly() bool { return l.types == nil && l != Reference }

// replaces reports whether the library has its own kernel for an operator with such inputs.
func (l *Library) replaces(code schema.BuiltinOperator, sub *tflite.Subgraph, o *tflite.Operator) bool {
	_, own := l.kernels[code]
	return l.copiesOnly() || own && slices.ContainsFunc(o.Inputs, func(i int) bool { return i >= 0 && slices.Contains(l.types, sub.Tensors[i].Type) })
}

// Sharing returns how an operator may share memory with the kernels of the library. own reports
// that the library has a kernel of its own for it.
func (l *Library) Sharing(code schema.BuiltinOperator, sub *tflite.Subgraph, o *tflite.Operator) (kind Sharing, own bool) {
	switch kind = SharingOf(code); {
	case kind == Branching && (l.copiesAnew || l.copiesOnly()):
		return NoSharing, false
	case kind != Padding && kind != Computing || !l.replaces(code, sub, o):
		return kind, false
	}
	kind = l.kernels[code].sharing
	return kind, kind != NoSharing
}

// Order returns the order in which the kernel of an operator reads and writes. It returns false if
// the order is unknown, or known only from the source and unmeasured is false.
func (l *Library) Order(code schema.BuiltinOperator, sub *tflite.Subgraph, o *tflite.Operator, unmeasured bool) (order Order, known bool) {
	kernel := builtinRows[code]
	if order.Own = l.replaces(code, sub, o); order.Own {
		kernel = l.kernels[code]
	}
	order.kernelOrder, order.Unmeasured = kernel.order, kernel.unmeasured
	return order, order.loops != nil && (unmeasured || !order.Unmeasured)
}

// OrdersMeasured reports whether runs of the library's kernels have shown in which order they read
// and write.
func (l *Library) OrdersMeasured() bool {
	return l.ordered(func(r row) bool { return !r.unmeasured })
}

// OrdersKnown reports whether the order of reads and writes is known for any of the library's
// kernels, from runs or their source.
func (l *Library) OrdersKnown() bool { return l.ordered(func(row) bool { return true }) }

// ordered reports whether the order of one of the library's kernels is known in some way.
func (l *Library) ordered(how func(row) bool) bool {
	for _, r := range l.kernels {
		if r.order.loops != nil && how(r) {
			return true
		}
	}
	return l == Reference
}
