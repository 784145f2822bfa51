package rules

import (
	"errors"

	"github.com/tflarena/tflarena/lifetime/rules/internal/kernels"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A Sharing names the way in which the output of an operator may share memory with an input, in
// TensorFlow Lite Micro's own kernels.
type Sharing = kernels.Sharing

// The ways of sharing.
const (
	// NoSharing permits none.
	NoSharing = kernels.NoSharing
	// Copying permits the output on the first input, which it copies.
	Copying = kernels.Copying
	// Joining permits the inputs inside the output.
	Joining = kernels.Joining
	// Taking permits the output inside the input of which it is a part.
	Taking = kernels.Taking
	// Padding permits an output that ends at the end of a dying input.
	Padding = kernels.Padding
	// Computing permits the output on a dying input.
	Computing = kernels.Computing
	// Branching is IF, which copies to the inputs and from the outputs of its branches.
	Branching = kernels.Branching
)

// SharingOf returns how operators of a kind may share memory, regardless of [Alias].
func SharingOf(code schema.BuiltinOperator) Sharing { return kernels.SharingOf(code) }

// WritingOf returns how the reference kernels of TensorFlow Lite Micro write the outputs of a
// kind of operator, if that permits [View.Overlaps]: "elements", "pieces" or "at end"; "" if not. Some
// kinds have it only for some types of tensors.
func WritingOf(code schema.BuiltinOperator) string { return string(kernels.WritingOf(code)) }

// libraryOf returns a kernel library by its name, "" for the reference kernels. The marker of a file
// may name any library; for an unknown one, or an unknown release, only copies are permitted.
func libraryOf(name string) *kernels.Library {
	if name == "" {
		return kernels.Reference
	}
	l, err := anyRelease(name)
	if err != nil {
		return kernels.Unknown
	}
	return l
}

// anyRelease returns a kernel library by its name, which may have a release that is not modelled.
func anyRelease(name string) (*kernels.Library, error) {
	l, err := kernels.Lookup(name)
	if unknown := (*UnknownRelease)(nil); errors.As(err, &unknown) && unknown.Version != "" && len(unknown.Known) > 0 {
		if l, err = kernels.Lookup(unknown.Base); err == nil {
			l = l.Unmodelled(unknown.Version)
		}
	}
	return l, err
}

// SharesInPlace reports whether the kernel of an operator with such inputs permits an in-place
// output, as [Alias.InPlace] does for the reference kernels.
func (d Device) SharesInPlace(code schema.BuiltinOperator, inputs []schema.TensorType) bool {
	sub, o := &tflite.Subgraph{}, &tflite.Operator{}
	for i, kind := range inputs {
		sub.Tensors, o.Inputs = append(sub.Tensors, tflite.Tensor{Type: kind}), append(o.Inputs, i)
	}
	kind, _ := d.library.Sharing(code, sub, o)
	return kind != NoSharing
}

// OrdersMeasured reports whether runs of a library's kernels have shown in which order they
// read and write. If only their source is known, [View.Overlaps] uses them only for
// [UnmeasuredAlias].
func OrdersMeasured(library string) bool { return libraryOf(library).OrdersMeasured() }

// OrdersKnown reports whether the order of reads and writes is known for any of a library's
// kernels, from runs or their source.
func OrdersKnown(library string) bool { return libraryOf(library).OrdersKnown() }

// inKernels names the kernels of a library for a sentence, or the reference kernels.
func inKernels(library string, own bool) string {
	if !own {
		return "in the reference kernels"
	}
	return "in the " + library + " kernels"
}

// whereOrdered names the library of a kernel and the evidence for its order.
func whereOrdered(library string, o kernels.Order) string {
	if o.Unmeasured {
		return inKernels(library, o.Own) + " as their source says, which no run has confirmed"
	}
	return inKernels(library, o.Own)
}
