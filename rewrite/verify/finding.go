package verify

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/provenance"
)

// Law is the name of a rule checked by [Plan]. The names are stable.
type Law string

// The laws, in the order of checking. Statements about the runtime hold for TensorFlow Lite
// Micro, snapshot 90b983c2.
const (
	// LawBuffer: the plan's buffer has data inside the flatbuffer. The runtime follows the
	// pointer unchecked.
	LawBuffer Law = "buffer"
	// LawLength: the buffer holds the header and as many offsets as it declares. Otherwise the
	// runtime reads beyond its end.
	LawLength Law = "length"
	// LawCount: the plan has one offset for each tensor of all subgraphs. Otherwise the runtime
	// rejects the model.
	LawCount Law = "count"
	// LawEntries: the model has one plan. The runtime follows the last.
	LawEntries Law = "entries"
	// LawMarker: a marker, which names the kernels for which the plan is valid, can be read,
	// accompanies a plan, names the kernels at hand, and declares at least the --alias level
	// that the plan needs. No runtime reads it.
	LawMarker Law = "marker"
	// LawBlocks: a record of tiled blocks can be read and describes the model. No runtime reads
	// it, and plans do not depend on it.
	LawBlocks Law = "tiled blocks"
	// LawRules: a record of the rules by which operators were replaced can be read, and the rules are exact with the kernels
	// at hand. No runtime reads it.
	LawRules Law = "rules"
	// LawOffset: an offset is -1 or not negative. Otherwise the runtime places the tensor
	// before the arena.
	LawOffset Law = "offset"
	// LawAlignment: an offset is a multiple of [rewrite.Alignment].
	LawAlignment Law = "alignment"
	// LawSize: a tensor with an offset has a known size.
	LawSize Law = "size"
	// LawRange: a tensor ends below 2^31 bytes.
	LawRange Law = "range"
	// LawOverlap: tensors live at the same position share no byte.
	LawOverlap Law = "overlap"
	// LawTakeover: an output shares memory with an input of its operator only if the runtime's
	// kernel allows it, and a tensor shares memory with one that is still read only in bytes no
	// longer read. An output overlapping a dying input keeps the distance that the kernel
	// requires.
	LawTakeover Law = "takeover"
	// LawVariable: nothing is ever placed over a variable that has an offset. The runtime
	// protects it only until its last reader.
	LawVariable Law = "variable"
	// LawVariableEntry: a variable of a later subgraph is placed once. The runtime looks it up
	// by its index within its subgraph, as if it were in the first.
	LawVariableEntry Law = "variable entry"
	// LawIgnored: only tensors planned by the runtime have an offset.
	LawIgnored Law = "ignored"
	// LawUnused: a tensor with an offset is used.
	LawUnused Law = "unused"
)

// Severity is the consequence of a finding for the plan.
type Severity string

const (
	// Failure means that the plan is broken.
	Failure Severity = "failure"
	// Aliasing means that tensors share memory on purpose.
	Aliasing Severity = "aliasing"
	// Note is a harmless fact.
	Note Severity = "note"
)

// Finding is a result of [Plan] about a memory plan. It implements error.
type Finding struct {
	Law      Law
	Severity Severity
	// Message is one sentence with the tensors and numbers.
	Message string
	// Tensors are the tensors concerned, at most two.
	Tensors []Use
	// Path is the table and field. Offset is the byte offset in the file, 0 if the file has no
	// data for it.
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

// Use is a tensor with its live range and memory under the plan.
type Use struct {
	// ID is "SUBGRAPH:TENSOR"; Name is for display and may be empty.
	ID, Name string
	// First and Last are the operator positions of the usage interval, inclusive.
	First, Last int
	// Start and End are the tensor's bytes in the arena's head, [Start, End).
	Start, End int64
}

// String returns the tensor's description in messages.
func (u Use) String() string {
	return fmt.Sprintf("tensor %s %q (positions %d to %d, bytes %s to %s)", u.ID, u.Name, u.First, u.Last, units.Number(u.Start), units.Number(u.End))
}

// Report is the result of [Plan].
type Report struct {
	// Plans are the readable plans, in metadata order. The runtime follows the last.
	Plans []rewrite.Plan
	// Marker names the kernels for which the plan is valid; nil if absent or unreadable.
	Marker *rewrite.Marker
	// Rules is the record of the rules by which operators were replaced; nil if absent or unreadable.
	Rules *provenance.Record
	// Pinned are the tensors with an offset in the plan, in plan order. Planned counts all
	// tensors that need memory, including those placed by the runtime.
	Pinned  []Use
	Planned int
	// Head is the largest End of the pinned tensors, in bytes. Tensors and kernel scratch
	// placed by the runtime may add to it.
	Head int64
	// Findings are in the order of the laws.
	Findings []Finding
	// unlisted counts the pairs of tensors that share memory on purpose and have no finding of
	// their own, in-place outputs excluded.
	unlisted int
}

// OK reports whether no finding is a [Failure]. A model without plan and marker is OK.
func (v *Report) OK() bool {
	for _, f := range v.Findings {
		if f.Severity == Failure {
			return false
		}
	}
	return true
}

// Aliases returns the number of pairs of tensors that share memory on purpose, in-place outputs
// excluded. It returns 0 for a nil report.
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
