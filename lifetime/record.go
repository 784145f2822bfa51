package lifetime

import (
	"fmt"
	"math"

	"github.com/tflarena/tflarena/internal/units"
)

// A Record is a tensor usage record: one tensor, its live range and its size in bytes
// (Pisarchyk and Lee 2020, section 3).
type Record struct {
	// ID identifies the tensor: the row's own id in a CSV problem, "SUBGRAPH:TENSOR" for a
	// model. IDs need not be unique in a CSV problem.
	ID string
	// Name is for display and may be empty.
	Name string
	// First and Last are the operator positions, both inclusive, at which the tensor is first
	// and last alive. They may be negative: TensorFlow Lite Micro marks tensors that exist
	// before the run with -1.
	First, Last int
	// Size is the tensor's size in bytes, as the runtime reserves it.
	Size int64
	// Align is the alignment of the tensor's offset, in bytes. Zero and one both mean any
	// offset.
	Align int64
	// Pinned reports that the tensor's offset is given and cannot be chosen.
	Pinned bool
	// Offset is the given offset in bytes; it is ignored unless Pinned is set.
	Offset int64
	// Gaps are the times at which the tensor holds less than its size, separate and in
	// chronological order. Most tensors have none.
	Gaps []Gap
}

// Overlaps reports whether the usage intervals of r and s have a common position. Records that
// do not overlap may share memory; records that overlap may share it only in gaps. Overlaps
// ignores gaps, so relying on it is safe, but not always optimal.
func (r Record) Overlaps(s Record) bool {
	return r.First <= s.Last && s.First <= r.Last
}

// Alignment returns r.Align, with zero read as one.
func (r Record) Alignment() int64 { return max(r.Align, 1) }

// MaxTotal is the largest sum of sizes in bytes that planners accept. Below it, no sum of a few
// sizes, offsets and paddings overflows an int64.
const MaxTotal = int64(1) << 60

// CheckRecords reports the first record that planners do not accept: a record with an empty
// interval, or one that reaches the end of the integers; with a negative size; with an invalid
// alignment, offset or gap; or with a size that makes the sum of all sizes (rounded up to their
// alignments) exceed [MaxTotal].
func CheckRecords(records []Record) error {
	var sum int64
	for i, r := range records {
		switch {
		case r.First > r.Last:
			return recordError(i, r, "is alive from position %d to %d: the interval is empty", r.First, r.Last)
		case r.First == math.MinInt || r.Last == math.MaxInt:
			return recordError(i, r, "is alive at a position that has no neighbour in an int")
		case r.Size < 0:
			return recordError(i, r, "has size %d: a size is not negative", r.Size)
		case r.Align < 0:
			return recordError(i, r, "has alignment %d: an alignment is not negative", r.Align)
		case r.Pinned && r.Offset < 0:
			return recordError(i, r, "is pinned at offset %d: an offset is not negative", r.Offset)
		case r.Pinned && r.Offset%r.Alignment() != 0:
			return recordError(i, r, "is pinned at offset %s, which is not a multiple of its alignment %s", units.Number(r.Offset), units.Number(r.Align))
		case r.Size > MaxTotal || r.Align > MaxTotal || r.Pinned && r.Offset > MaxTotal:
			return recordError(i, r, "has a size, alignment or offset above %s", units.ExactBytes(int64(MaxTotal)))
		}
		if err := checkGaps(i, r); err != nil {
			return err
		}
		sum += r.Size + r.Alignment()
		if sum > MaxTotal || sum < 0 {
			return recordError(i, r, "brings the sum of sizes above %s", units.ExactBytes(int64(MaxTotal)))
		}
	}
	return nil
}

func recordError(i int, r Record, format string, args ...any) error {
	return fmt.Errorf("record %d (%s) %s", i, r.ID, fmt.Sprintf(format, args...))
}
