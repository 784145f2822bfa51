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
	// Head and tail in bytes: what `arena_used_bytes()` of TensorFlow Lite Micro returns. Absent for other
	// runtimes, and with arena_unknown.
	ArenaBytes int64 `json:"arena_bytes,omitzero"`
	// Memory that the runtime's planner places, in bytes: tensors, and kernel scratch if that is counted. For a
	// rule set without a planner of its own, the total of the best plan.
	HeadBytes int64 `json:"head_bytes"`
	// Persistent memory of TensorFlow Lite Micro, in addition to the head, in bytes. Absent for other runtimes, and
	// with arena_unknown.
	TailBytes int64 `json:"tail_bytes,omitzero"`
	// Smallest multiple of 16 bytes with which AllocateTensors succeeds. Absent for other runtimes than TensorFlow
	// Lite Micro, and with arena_unknown.
	SmallestArenaBytes int64 `json:"smallest_arena_bytes,omitzero"`
	// Why the arena is unknown. Absent if it is known.
	Unknown *UnknownArena `json:"arena_unknown,omitempty"`
}

// An UnknownArena is an arena that is not known because of some operators, an entry for each kind.
type UnknownArena struct {
	// Operators that make the arena unknown, an entry for each kind. head_bytes does not include their scratch.
	Operators []Unknown `json:"operators"`
}

// An Unknown is a kind of operator whose requests for memory are not known.
type Unknown struct {
	// Index of the subgraph; -1 before the run.
	Subgraph int `json:"subgraph"`
	// Index of the first such operator in its subgraph.
	Operator int `json:"index"`
	// Kind of the operators, such as CONV_2D, or their custom code.
	Name string `json:"name"`
	// Number of operators of this kind; the index is that of the first.
	Operators int `json:"operator_count"`
	// Why their memory is unknown, for people.
	Reason string `json:"reason"`
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
	// Kernel library that the figures are for, with its release, as the flag `--kernels` names it. Absent for the
	// reference kernels.
	Kernels string `json:"kernels,omitempty"`
	// Description of the kernel library for people: its name and release, whether that is the newest modelled, and
	// its build settings. Absent for the reference kernels.
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
	// Size of the file in bytes.
	FileBytes int64 `json:"file_bytes"`
}
