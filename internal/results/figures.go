package results

import "github.com/tflarena/tflarena/lifetime/rules"

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

// otherKernels returns the name of the kernels of a target, "" for the reference kernels.
func otherKernels(target rules.Target) string {
	if target.IsReference() {
		return ""
	}
	return target.Kernels
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
