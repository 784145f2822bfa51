package kernels

import (
	"github.com/tflarena/tflarena/lifetime/rules/internal/diagonal"
	"github.com/tflarena/tflarena/schema"
)

// A Writing names the way a kernel writes its outputs while it reads its inputs.
type Writing string

const (
	// AnyWriting is an unknown order, or one that permits no overlap, such as a kernel that
	// clears its output first.
	AnyWriting Writing = ""
	// ByElement writes each element after reading everything that it depends on.
	ByElement Writing = "elements"
	// ByPiece copies one contiguous piece after another, each at once.
	ByPiece Writing = "pieces"
	// AtEnd writes everything after all reads.
	AtEnd Writing = "at end"
)

// WritingOf returns how the reference kernels of TensorFlow Lite Micro write the outputs of a
// kind of operator, if that permits rules.View.Overlaps. Some kinds have it only for some types of
// tensors.
func WritingOf(code schema.BuiltinOperator) Writing { return builtinRows[code].order.writing }

// A kernelOrder is the order in which a kernel reads and writes.
type kernelOrder struct {
	writing Writing
	// loops describes the accesses of the kernel to an input and an output. It returns false if
	// they are unknown, for example for the weights of a convolution.
	loops orderFunc
}

// An Order is the order of a library's kernel.
type Order struct {
	kernelOrder
	// Own reports that the kernel is the library's own, not the reference kernel.
	Own bool
	// Unmeasured reports that the order is known only from the source.
	Unmeasured bool
}

// Distance returns how far, in bytes, the writes to an output may stay ahead of the reads of an
// input, as in a [lifetime.Overlap]. It returns false if the order is unknown for this input.
func (o kernelOrder) Distance(k *Loops, input, output int) (bytes int64, ok bool) {
	nest, ok := o.loops(k, input, output)
	if !ok {
		return 0, false
	}
	return nest.Distance(), true
}

// Why describes the kernel's writes.
func (o kernelOrder) Why() string {
	switch o.writing {
	case ByPiece:
		return "copies piece by piece, and what it has copied is free"
	case AtEnd:
		return "reads all of its input before it writes"
	}
	return "goes through its output element by element, and what no later element needs is free"
}

// firstInput restricts an order to the first input.
//
//go:noinline
func firstInput(loops orderFunc) orderFunc {
	return func(k *Loops, input, output int) (diagonal.Nest, bool) {
		if input != 0 {
			return diagonal.Nest{}, false
		}
		return loops(k, input, output)
	}
}

// An orderFunc describes the accesses of a kernel to an input and an output.
type orderFunc = func(k *Loops, input, output int) (diagonal.Nest, bool)

// bytesOnly restricts an order to 8-bit tensors, including the filter if there is one.
//
//go:noinline
func bytesOnly(loops orderFunc) orderFunc {
	return func(k *Loops, input, output int) (diagonal.Nest, bool) {
		for i := range min(len(k.op.Inputs), 2) {
			if t := k.sub.Operand(k.op.Inputs, i); t == nil || t.Type != schema.TensorTypeINT8 {
				return diagonal.Nest{}, false
			}
		}
		return loops(k, input, output)
	}
}
