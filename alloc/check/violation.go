package check

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// A Law is a rule of every valid plan.
type Law string

// The laws, in the order of checking.
const (
	// Length: the plan has one placement for each record.
	Length Law = "length"
	// NegativeOffset: no tensor starts below the arena.
	NegativeOffset Law = "negative offset"
	// Overflow: every offset + size, and every sum of sizes, is an int64.
	Overflow Law = "overflow"
	// Alignment: an offset is a multiple of the record's alignment.
	Alignment Law = "alignment"
	// Pinned: a pinned record stays at its given offset.
	Pinned Law = "pinned"
	// NoSuchObject: a record's object is one of the plan's objects.
	NoSuchObject Law = "no such object"
	// ObjectTooSmall: an object is at least as large as each tensor it holds.
	ObjectTooSmall Law = "object too small"
	// Overlap: tensors alive at a common position share no byte and no object.
	Overlap Law = "overlap"
	// Total: the total is the largest offset + size of a tensor that is not
	// empty, or the sum of the object sizes.
	Total Law = "total"
)

// A Violation is the error for a plan that breaks a law. Records are indexes in the checked slice; -1
// if the law is not about a record, or about one record only.
type Violation struct {
	Law           Law
	Record, Other int
	detail        string
}

// Error returns the broken law and, for a law about tensors, their names, positions (inclusive) and
// bytes (half-open).
func (v *Violation) Error() string {
	return fmt.Sprintf("%s: %s", v.Law, v.detail)
}

func violation(law Law, record, other int, format string, args ...any) *Violation {
	return &Violation{Law: law, Record: record, Other: other, detail: fmt.Sprintf(format, args...)}
}

// label returns a readable name of record i, with its usage interval.
func label(records []lifetime.Record, i int) string {
	r := records[i]
	name := r.ID
	if r.Name != "" {
		name += " " + r.Name
	}
	return fmt.Sprintf("record %d (%s, positions %d to %d)", i, name, r.First, r.Last)
}

// inBytes is label with the bytes of the block, and its positions if the record has gaps.
func inBytes(records []lifetime.Record, b block) string {
	text := fmt.Sprintf("%s in bytes [%s, %s)", label(records, b.record), units.Number(b.start), units.Number(b.end))
	if len(records[b.record].Gaps) > 0 {
		text += fmt.Sprintf(" at positions %d to %d", b.first, b.last)
	}
	return text
}
