package check

import (
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// Offsets returns nil when offsets is a right plan for records with the given
// total in bytes, a [*Violation] for the first law found broken, and a plain
// error for records that [lifetime.CheckRecords] refuses. It takes O(n log n).
func Offsets(records []lifetime.Record, offsets []int64, total int64) error {
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
	if v := findOverlap(records, offsets); v != nil {
		return v
	}
	if end := largestEnd(records, offsets); end != total {
		return violation(Total, -1, -1, "the plan says %d bytes, its tensors end at %d", total, end)
	}
	return nil
}

// checkPlacement applies the laws that concern one record alone.
func checkPlacement(records []lifetime.Record, offsets []int64, i int) *Violation {
	r, offset := records[i], offsets[i]
	switch {
	case offset < 0:
		return violation(NegativeOffset, i, -1, "%s is at offset %d", label(records, i), offset)
	case offset > math.MaxInt64-r.Size:
		return violation(Overflow, i, -1, "%s of %d bytes is at offset %d", label(records, i), r.Size, offset)
	case offset%r.Alignment() != 0:
		return violation(Alignment, i, -1, "%s is at offset %d, no multiple of %d", label(records, i), offset, r.Align)
	case r.Pinned && offset != r.Offset:
		return violation(Pinned, i, -1, "%s is at offset %d, pinned to %d", label(records, i), offset, r.Offset)
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

// findOverlap walks through time. The tensors alive so far share no byte, so in
// offset order each newborn can only collide with the one before or after it.
func findOverlap(records []lifetime.Record, offsets []int64) *Violation {
	births := nonEmpty(records)
	deaths := slices.Clone(births)
	byOffset := slices.Clone(births)
	sortBy(births, func(i int) int64 { return int64(records[i].First) })
	sortBy(deaths, func(i int) int64 { return int64(records[i].Last) })
	sortBy(byOffset, func(i int) int64 { return offsets[i] })
	rank := make([]int, len(records))
	for k, i := range byOffset {
		rank[i] = k
	}
	alive := newRankSet(len(byOffset))
	for _, i := range births {
		for len(deaths) > 0 && records[deaths[0]].Last < records[i].First {
			alive.remove(rank[deaths[0]])
			deaths = deaths[1:]
		}
		if k := alive.before(rank[i]); k >= 0 && collide(records, offsets, byOffset[k], i) {
			return overlapIn(records, offsets, byOffset[k], i)
		}
		if k := alive.after(rank[i]); k >= 0 && collide(records, offsets, byOffset[k], i) {
			return overlapIn(records, offsets, byOffset[k], i)
		}
		alive.add(rank[i])
	}
	return nil
}

// collide reports whether two records that are not empty share a byte while both
// are alive.
func collide(records []lifetime.Record, offsets []int64, i, j int) bool {
	r, s := records[i], records[j]
	return r.First <= s.Last && s.First <= r.Last &&
		offsets[i] < offsets[j]+s.Size && offsets[j] < offsets[i]+r.Size
}

func overlapIn(records []lifetime.Record, offsets []int64, i, j int) *Violation {
	i, j = min(i, j), max(i, j)
	return violation(Overlap, i, j, "%s and %s", inBytes(records, offsets, i), inBytes(records, offsets, j))
}

// nonEmpty returns the indices of the records that hold at least one byte.
func nonEmpty(records []lifetime.Record) []int {
	var indices []int
	for i, r := range records {
		if r.Size > 0 {
			indices = append(indices, i)
		}
	}
	return indices
}

// sortBy sorts indices by key ascending, equal keys by index.
func sortBy(indices []int, key func(i int) int64) {
	slices.SortFunc(indices, func(i, j int) int {
		ki, kj := key(i), key(j)
		switch {
		case ki < kj:
			return -1
		case ki > kj:
			return 1
		}
		return i - j
	})
}
