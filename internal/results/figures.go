package results

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// Figures are what a model needs of a runtime's memory, in bytes. All but the head are
// known for TensorFlow Lite Micro alone: zero, and left out of JSON, for other runtimes and
// where Unknown names operators.
type Figures struct {
	// ArenaBytes is head and tail, which is what arena_used_bytes() returns.
	ArenaBytes int64 `json:"arena_bytes,omitzero"`
	// HeadBytes is what the runtime's planner places: tensors and scratch.
	HeadBytes int64 `json:"head_bytes"`
	// TailBytes is what the runtime keeps besides.
	TailBytes int64 `json:"tail_bytes,omitzero"`
	// SmallestArenaBytes is the least multiple of 16 in which AllocateTensors succeeds.
	SmallestArenaBytes int64 `json:"smallest_arena_bytes,omitzero"`
	// Unknown says why the arena is not known, nil where it is. The head is then without the scratch
	// of its operators.
	Unknown *UnknownArena `json:"arena_unknown,omitempty"`
}

// An UnknownArena is an arena that is not known because of some operators, an entry for each kind.
type UnknownArena struct {
	Operators []Unknown `json:"operators"`
}

// An Unknown is a kind of operator whose requests for memory are not known.
type Unknown struct {
	// Subgraph and Operator are those of the first operator, and Operators counts all.
	Subgraph  int    `json:"subgraph"`
	Operator  int    `json:"index"`
	Name      string `json:"name"`
	Operators int    `json:"operator_count"`
	Reason    string `json:"reason"`
}

// newUnknown returns the operators as results have them, nil for none.
func newUnknown(list []rules.Unknown) *UnknownArena {
	if len(list) == 0 {
		return nil
	}
	a := &UnknownArena{}
	for _, u := range list {
		a.Operators = append(a.Operators, Unknown(u))
	}
	return a
}

// Known reports whether the arena is known, if the runtime has one.
func (f Figures) Known() bool { return f.Unknown == nil }

// Size is the arena, or the head where the arena is not known.
func (f Figures) Size() int64 {
	if f.Known() {
		return f.ArenaBytes
	}
	return f.HeadBytes
}

// UnknownText says why the arena is not known.
func (f Figures) UnknownText() string {
	var parts []string
	for _, u := range f.Unknown.Operators {
		more := ""
		if u.Operators > 1 {
			more = fmt.Sprintf(" (%d operators)", u.Operators)
		}
		const most = 48 // of what may hold a name of any length
		parts = append(parts, fmt.Sprintf("operator %d:%d %s%s %s", u.Subgraph, u.Operator, tables.Elide(tables.Printable(u.Name), most), more, u.Reason))
	}
	return strings.Join(parts, "; ") + "; state what its kernel requests with --scratch FILE"
}

// NewFigures returns the figures of an arena.
func NewFigures(a rules.Arena) Figures {
	return figuresOf(a.Used(), a.Head, a.Tail, a.Smallest, a.Unknown)
}

func figuresOf(arena, head, tail, smallest int64, unknown []rules.Unknown) Figures {
	if len(unknown) > 0 {
		return Figures{HeadBytes: head, Unknown: newUnknown(unknown)}
	}
	return Figures{ArenaBytes: arena, HeadBytes: head, TailBytes: tail, SmallestArenaBytes: smallest}
}

// A KernelLibrary is the library of kernels that figures are for, zero for the reference kernels.
type KernelLibrary struct {
	// Kernels is the name of the library with its release, KernelsTitle what that is for people.
	Kernels      string `json:"kernels,omitempty"`
	KernelsTitle string `json:"kernels_title,omitempty"`
}

// NewKernelLibrary returns the kernel library of a target.
func NewKernelLibrary(device rules.Device) KernelLibrary {
	if device.IsReference() {
		return KernelLibrary{}
	}
	return KernelLibrary{Kernels: device.Kernels, KernelsTitle: device.KernelsTitle}
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
