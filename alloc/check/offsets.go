package check

import (
	"math"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// Offsets returns nil for a valid plan of records with the given total in bytes, a [*Violation] for the
// first broken law, and a plain error for records that [lifetime.CheckRecords] rejects. It takes O(n
// log n) time, where n includes every gap.
//
// A record in a gap blocks only the bytes that it holds then. The total counts every record with its
// whole size, gaps or not.
func Offsets(records []lifetime.Record, offsets []int64, total int64) error {
	return judge(records, offsets, total, func() *Violation { return findOverlap(records, offsets) })
}

// judge applies the laws of a plan of offsets in order; overlap is the law about shared bytes.
func judge(records []lifetime.Record, offsets []int64, total int64, overlap func() *Violation) error {
	if err := lifetime.CheckRecords(records); err != nil {
		return err
	}
	if len(offsets) != len(records) {
		return violation(Length, -1, -1, "%d offsets for %d records", len(offsets), len(records))
	}
	for i := range records {
		if v := checkPlacement(records, offsets, i); v != nil {
			return v
		}
	}
	if v := overlap(); v != nil {
		return v
	}
	if end := largestEnd(records, offsets); end != total {
		return violation(Total, -1, -1, "the plan says %s, but its tensors end at %s", units.ExactBytes(total), units.Number(end))
	}
	return nil
}

// checkPlacement applies the laws about a single record.
func checkPlacement(records []lifetime.Record, offsets []int64, i int) *Violation {
	r, offset := records[i], offsets[i]
	switch {
	case offset < 0:
		return violation(NegativeOffset, i, -1, "%s is at offset %s", label(records, i), units.Number(offset))
	case offset > math.MaxInt64-r.Size:
		return violation(Overflow, i, -1, "%s of %s is at offset %s", label(records, i), units.ExactBytes(r.Size), units.Number(offset))
	case offset%r.Alignment() != 0:
		return violation(Alignment, i, -1, "%s is at offset %s, which is not a multiple of %s", label(records, i), units.Number(offset), units.Number(r.Align))
	case r.Pinned && offset != r.Offset:
		return violation(Pinned, i, -1, "%s is at offset %s, but pinned at %s", label(records, i), units.Number(offset), units.Number(r.Offset))
	}
	return nil
}

func largestEnd(records []lifetime.Record, offsets []int64) int64 {
	var end int64
	for i, r := range records {
		if r.Size > 0 {
			end = max(end, offsets[i]+r.Size)
		}
	}
	return end
}
