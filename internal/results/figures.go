package results

import (
	"strings"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// Figures are what a model needs of a runtime's memory, in bytes. All but the head are
// known for TensorFlow Lite Micro alone: zero, and left out of JSON, for other runtimes.
type Figures struct {
	// ArenaBytes is head and tail, which is what arena_used_bytes() returns.
	ArenaBytes int64 `json:"arena_bytes,omitzero"`
	// HeadBytes is what the runtime's planner places: tensors and scratch.
	HeadBytes int64 `json:"head_bytes"`
	// TailBytes is what the runtime keeps besides.
	TailBytes int64 `json:"tail_bytes,omitzero"`
	// SmallestArenaBytes is the least multiple of 16 in which AllocateTensors succeeds.
	SmallestArenaBytes int64 `json:"smallest_arena_bytes,omitzero"`
}

// NewFigures returns the figures of an arena.
func NewFigures(a rules.Arena) Figures {
	return Figures{ArenaBytes: a.Used(), HeadBytes: a.Head, TailBytes: a.Tail, SmallestArenaBytes: a.Smallest}
}

// A KernelLibrary is the library of kernels that figures are for, zero for the reference kernels.
type KernelLibrary struct {
	// Kernels is the name of the library with its release, KernelsTitle what that is for people.
	Kernels      string `json:"kernels,omitempty"`
	KernelsTitle string `json:"kernels_title,omitempty"`
}

// NewKernelLibrary returns the kernel library of a target.
func NewKernelLibrary(target rules.Target) KernelLibrary {
	if target.IsReference() {
		return KernelLibrary{}
	}
	return KernelLibrary{Kernels: target.Kernels, KernelsTitle: target.KernelsTitle}
}

// kernels writes a line about the library, unless its kernels are the reference kernels.
func (s Style) kernels(b *strings.Builder, l KernelLibrary) {
	if l.Kernels != "" {
		s.line(b, "kernels", l.Kernels+": "+l.KernelsTitle)
	}
}

// builtFor says for people what figures are counted for.
func builtFor(abi, kernels string) string {
	if kernels == "" {
		return abi
	}
	return abi + ", " + kernels
}

// A State is a model as it was, or as it became.
type State struct {
	Figures
	FileBytes int64 `json:"file_bytes"`
}
