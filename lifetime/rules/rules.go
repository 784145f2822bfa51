package rules

import (
	"fmt"
	"strings"
)

// Rules says which tensors a runtime plans and how. With all switches at their zero values
// it is the plain reading of a model.
type Rules struct {
	// Name is what --runtime calls the rule set.
	Name string
	// Title is the runtime, Source the version whose behaviour the switches copy.
	Title, Source string
	// Figure is what reports call the memory that is planned, such as "head".
	Figure string
	// Planner is the strategy of package alloc that plans as the runtime does; empty
	// where the rule set has no planner of its own.
	Planner string

	// Scopes counts time over all subgraphs as TensorFlow Lite Micro does and plans
	// them in one arena. Otherwise one subgraph is planned, by operator index.
	Scopes bool
	// Align is what every offset is a multiple of, in bytes.
	Align int64
	// RoundSizes is what every size is rounded up to a multiple of, in bytes.
	RoundSizes int64

	// IntermediatesOnly plans what an operator makes and an operator reads, and
	// neither graph inputs nor graph outputs.
	IntermediatesOnly bool
	// KeepInputs, KeepOutputs and KeepUnread keep those tensors alive to the end.
	KeepInputs, KeepOutputs, KeepUnread bool
	// SkipUntouched leaves out tensors that no operator and no graph input or
	// output names, and operator inputs that nothing makes.
	SkipUntouched bool
	// Kernels names the library whose kernels decide which tensors may share memory; see
	// [Device.WithKernels]. Empty stands for the reference kernels.
	Kernels string
	// DecompressionMemory is that of [Device.DecompressionMemory]: what is decoded there is not planned.
	DecompressionMemory int64
	// InPlace lets outputs take over the memory of inputs where LiteRT's kernels
	// say they may.
	InPlace bool

	// EmbeddedOnly recognises only constants whose data is embedded in the flatbuffer.
	// Constants at absolute offsets and in external buffers are planned like activations.
	EmbeddedOnly bool
	// NewCodesOnly recognises control flow by the new operator code field alone, as
	// TensorFlow Lite Micro did until 2026-09-08 (tflite-micro pull request 3698).
	NewCodesOnly bool

	// ResolveReshape computes the unknown dimension of a RESHAPE's output from its input.
	ResolveReshape bool
	// Wrap counts elements in 32 bits, as the runtime does: numbers that are larger wrap
	// around and come out too small.
	Wrap bool

	// AsFloat32 counts every element as four bytes, whatever its type.
	AsFloat32 bool
	// PadChannels is what the last dimension is rounded up to a multiple of.
	PadChannels int32
	// FoldConstants takes what DEQUANTIZE and DENSIFY make of constants as
	// constant; DropNoOpResize and MergeSpatialPad drop those operators.
	FoldConstants, DropNoOpResize, MergeSpatialPad bool

	sizes sizing
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

// Includes describes the switches of the rule set that are on, a line each.
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
