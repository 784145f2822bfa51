package rules

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/lifetime/rules/internal/kernels"
)

// Rules define which tensors a runtime plans and how. With all switches at their zero values, a
// model is taken literally.
type Rules struct {
	// Name is the rule set's name, as in --runtime.
	Name string
	// Title is the runtime, Source the version whose behaviour is reproduced.
	Title, Source string
	// Figure is the name of the planned memory in reports, such as "head".
	Figure string
	// Planner is the strategy of package alloc that plans like the runtime; empty if there is
	// none.
	Planner string

	// Scopes counts time over all subgraphs as TensorFlow Lite Micro does and plans them in one
	// arena. Otherwise, one subgraph is planned, by operator index.
	Scopes bool
	// Align is the alignment of every offset, in bytes.
	Align int64
	// RoundSizes is the multiple to which every size is rounded up, in bytes.
	RoundSizes int64

	// IntermediatesOnly plans only tensors that one operator makes and another one reads, and
	// neither graph inputs nor graph outputs.
	IntermediatesOnly bool
	// KeepInputs, KeepOutputs and KeepUnread keep those tensors alive to the end.
	KeepInputs, KeepOutputs, KeepUnread bool
	// SkipUntouched omits tensors that are not an operand of any operator nor a graph input or
	// output, and operator inputs without a producer.
	SkipUntouched bool
	// InPlace enables LiteRT's in-place outputs.
	InPlace bool
	// LateSizes reports that the model has the largest sizes of tensors whose size depends on data, which
	// LiteRT keeps outside the arena.
	LateSizes bool

	// EmbeddedOnly recognises only constants with data embedded in the flatbuffer. Constants at
	// absolute offsets and in external buffers are planned like activations.
	EmbeddedOnly bool
	// NewCodesOnly recognises control flow only by the new operator code field, as TensorFlow
	// Lite Micro did until 2026-09-08 (tflite-micro pull request 3698).
	NewCodesOnly bool

	// ResolveReshape computes the unknown dimension of a RESHAPE's output from its input.
	ResolveReshape bool
	// Wrap counts elements in 32 bits, as the runtime does: larger numbers wrap around to
	// smaller ones.
	Wrap bool

	// AsFloat32 counts every element as four bytes, whatever its type.
	AsFloat32 bool
	// PadChannels is the multiple to which the last dimension is rounded up.
	PadChannels int32
	// FoldConstants treats the outputs of DEQUANTIZE and DENSIFY of constants as constant;
	// DropNoOpResize and MergeSpatialPad drop those operators.
	FoldConstants, DropNoOpResize, MergeSpatialPad bool

	sizes sizing
	// library determines which tensors may share memory; nil means the reference kernels. See
	// [Rules.On].
	library *kernels.Library
	// decompression is [Device.DecompressionMemory]: tensors decoded into it are not planned.
	decompression int64
}

// Names returns the names of the rule sets, the default first.
func Names() []string {
	var names []string
	for _, r := range table {
		names = append(names, r.Name)
	}
	return names
}

// Lookup returns the rule set with a name. Its error lists the known names.
func Lookup(name string) (Rules, error) {
	for _, r := range table {
		if r.Name == name {
			return r, nil
		}
	}
	return Rules{}, fmt.Errorf("unknown runtime %q (known: %s)", name, strings.Join(Names(), ", "))
}

// Includes describes the enabled switches of the rule set, one line each.
func (r Rules) Includes() []string {
	var lines []string
	for _, s := range []struct {
		on   bool
		text string
	}{
		{r.Scopes, "all subgraphs in one arena, timed by one scope counter"},
		{!r.Scopes, "one subgraph at a time, timed by operator index"},
		{r.IntermediatesOnly, "intermediate tensors only: graph inputs and outputs are left out"},
		{r.KeepInputs, "graph inputs kept for the whole run"},
		{r.KeepOutputs, "graph outputs kept from their producer to the end"},
		{r.KeepUnread, "outputs that nobody reads kept to the end"},
		{r.Align > 1, fmt.Sprintf("offsets aligned to %d bytes", r.Align)},
		{r.RoundSizes > 1, fmt.Sprintf("sizes rounded up to %d bytes", r.RoundSizes)},
		{r.AsFloat32, "every element counted as 4 bytes"},
		{r.PadChannels > 1, fmt.Sprintf("last dimension padded to a multiple of %d", r.PadChannels)},
		{r.DropNoOpResize, "RESIZE to the same shape dropped"},
		{r.MergeSpatialPad, "spatial PAD merged into the convolution that follows"},
		{r.FoldConstants, "DEQUANTIZE and DENSIFY of constants taken as constant"},
		{r.ResolveReshape, "the unknown dimension of a RESHAPE's output found in its input"},
		{r.InPlace, "outputs share memory with inputs where the kernels allow it"},
	} {
		if s.on {
			lines = append(lines, s.text)
		}
	}
	return lines
}
