package verify

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/rewrite"
)

// A Law names a rule of [Plan]. The names are stable.
type Law string

// The laws, in the order in which they are checked. What is said about the runtime is true
// of TensorFlow Lite Micro, snapshot 90b983c2.
const (
	// LawBuffer: the plan's buffer has data inside the flatbuffer. The runtime
	// follows the pointer without a look.
	LawBuffer Law = "buffer"
	// LawLength: the buffer holds the header and as many offsets as it counts. The
	// runtime reads beyond its end otherwise.
	LawLength Law = "length"
	// LawCount: there is one offset for each tensor of all subgraphs. The runtime
	// refuses the model otherwise.
	LawCount Law = "count"
	// LawEntries: there is one plan. Of several the runtime follows the last.
	LawEntries Law = "entries"
	// LawMarker: a marker that says with which kernels the plan is right can be read, stands
	// beside a plan, names the kernels at hand, and says no lower --alias than what shares memory
	// in the plan needs. No runtime reads it.
	LawMarker Law = "marker"
	// LawBlocks: a record of tiled blocks can be read and describes the model. No runtime reads it, and a
	// plan is right without it.
	LawBlocks Law = "tiled blocks"
	// LawOffset: an offset is -1 or not negative. The runtime places a tensor in
	// front of the arena otherwise.
	LawOffset Law = "offset"
	// LawAlignment: an offset is a multiple of [rewrite.Alignment].
	LawAlignment Law = "alignment"
	// LawSize: a tensor with an offset has a known size.
	LawSize Law = "size"
	// LawRange: a tensor ends below 2^31 bytes.
	LawRange Law = "range"
	// LawOverlap: tensors that are alive at the same position share no byte.
	LawOverlap Law = "overlap"
	// LawTakeover: an output shares memory with an input of its operator only where the
	// runtime's kernel for the operator allows it, and a tensor with one that is still read
	// only where nothing reads what it takes. An output that is written over an input while it
	// dies keeps the distance behind it that the kernel needs.
	LawTakeover Law = "takeover"
	// LawVariable: nothing is ever placed over a variable that has an offset. The
	// runtime protects it only until its last reader.
	LawVariable Law = "variable"
	// LawVariableEntry: a variable of a later subgraph is placed once. The runtime
	// looks it up under its index inside its subgraph, as if it were in the first.
	LawVariableEntry Law = "variable entry"
	// LawIgnored: only tensors that the runtime plans have an offset.
	LawIgnored Law = "ignored"
	// LawUnused: a tensor with an offset is used.
	LawUnused Law = "unused"
)

// A Severity says what a finding means for the plan.
type Severity string

const (
	// Failure says that the plan is broken.
	Failure Severity = "failure"
	// Aliasing says that tensors share memory on purpose.
	Aliasing Severity = "aliasing"
	// Note is for facts that are worth knowing, and harmless.
	Note Severity = "note"
)

// A Finding is one thing that [Plan] has to say about a plan. It is an error too.
type Finding struct {
	Law      Law
	Severity Severity
	// Message says in one sentence what was found, with the tensors and numbers.
	Message string
	// Tensors are the one or two tensors that the finding is about, if any.
	Tensors []Use
	// Path is the table and field, and Offset the byte offset in the file, 0 where the file
	// has nothing there.
	Path   string
	Offset int64
}

// Error returns "PATH at 0xOFFSET: LAW: MESSAGE", or "PATH: LAW: MESSAGE".
func (f *Finding) Error() string {
	if f.Offset == 0 {
		return fmt.Sprintf("%s: %s: %s", f.Path, f.Law, f.Message)
	}
	return fmt.Sprintf("%s at %#x: %s: %s", f.Path, f.Offset, f.Law, f.Message)
}

// A Use is a tensor with its place in time and memory under the plan.
type Use struct {
	// ID is "SUBGRAPH:TENSOR"; Name is for people and may be empty.
	ID, Name string
	// First and Last are the operator positions of the usage interval, inclusive.
	First, Last int
	// Start and End are the bytes that the tensor takes of the arena's head, [Start, End).
	Start, End int64
}

// String returns the tensor as messages call it.
func (u Use) String() string {
	return fmt.Sprintf("tensor %s %q (positions %d to %d, bytes %s to %s)", u.ID, u.Name, u.First, u.Last, units.Number(u.Start), units.Number(u.End))
}

// A Report is what [Plan] found.
type Report struct {
	// Plans are the plans that could be read, in the order of the metadata. The
	// runtime follows the last.
	Plans []rewrite.Plan
	// Marker says with which kernels the plan is right; nil where the file does not, or where
	// that cannot be read.
	Marker *rewrite.Marker
	// Pinned are the tensors that the plan places, in the order of the plan. Planned counts
	// all tensors that need memory, including those that the runtime places.
	Pinned  []Use
	Planned int
	// Head is the number of bytes that the pinned tensors need by themselves: the largest
	// End. What the runtime places by itself, kernel scratch included, comes on top.
	Head int64
	// Findings are in the order of the laws.
	Findings []Finding
	// unlisted counts the pairs of tensors that share memory on purpose, without takeovers, and have no
	// finding of their own.
	unlisted int
}

// OK reports whether no finding is a [Failure]. A model without a plan and without a marker
// is OK.
func (v *Report) OK() bool {
	for _, f := range v.Findings {
		if f.Severity == Failure {
			return false
		}
	}
	return true
}

// Aliases counts the pairs of tensors that share memory on purpose, without takeovers. It
// returns 0 for a nil report.
func (v *Report) Aliases() (n int) {
	if v == nil {
		return 0
	}
	for _, f := range v.Findings {
		if f.Severity == Aliasing && f.Law != LawTakeover && len(f.Tensors) > 0 {
			n++
		}
	}
	return n + v.unlisted
}
