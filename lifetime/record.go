package lifetime

import (
	"fmt"
	"math"

	"github.com/tflarena/tflarena/internal/units"
)

// A Record is a tensor usage record: one tensor, when it is alive and how many
// bytes it needs (Pisarchyk and Lee 2020, section 3).
type Record struct {
	// ID names the tensor for machines: the row's own id in a CSV problem,
	// "SUBGRAPH:TENSOR" for a model. IDs need not be unique in a CSV problem.
	ID string
	// Name names the tensor for people and may be empty.
	Name string
	// First and Last are the operator positions, both inclusive, at which the
	// tensor is first and last alive. They may be negative: TensorFlow Lite
	// Micro marks what exists before the run with -1.
	First, Last int
	// Size is the tensor's size in bytes, as the runtime reserves it.
	Size int64
	// Align is what the tensor's offset must be a multiple of, in bytes.
	// Zero and one both mean any offset.
	Align int64
	// Pinned says that the tensor's offset is given, not to be chosen.
	Pinned bool
	// Offset is the given offset in bytes; it counts only when Pinned is set.
	Offset int64
	// Gaps are the times at which the tensor holds less than its size, in order of
	// time and apart. Most tensors have none.
	Gaps []Gap
}

// Overlaps reports whether the usage intervals of r and s have a common position. Records
// that do not overlap may share memory. Records that overlap may share memory only where
// gaps make room. Overlaps does not look at gaps, so relying on it is safe, but not always
// best.
func (r Record) Overlaps(s Record) bool {
	return r.First <= s.Last && s.First <= r.Last
}

// Alignment returns r.Align, with zero read as one.
func (r Record) Alignment() int64 { return max(r.Align, 1) }

// MaxTotal is the largest sum of sizes in bytes that planners accept. Below it no
// sum of a few sizes, offsets and paddings overflows an int64.
const MaxTotal = int64(1) << 60

// CheckRecords reports the first record that planners do not accept: a record with an empty
// interval, or with one that reaches the end of the integers; with a negative size; with an
// alignment, offset or gap that makes no sense; or with a size that makes the sum of all
// sizes (rounded up to their alignments) exceed [MaxTotal].
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
