package kernels

import (
	"github.com/tflarena/tflarena/schema"
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
