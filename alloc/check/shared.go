package check

import (
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// Shared returns nil for a valid plan: record i has object objects[i], whose size in bytes is
// sizes[objects[i]], to itself while it is alive; total is the sum of sizes. Otherwise it returns a
// [*Violation] for the first broken law, or a plain error for records that [lifetime.CheckRecords]
// rejects. Alignments, pins and gaps are ignored: an object holds one whole tensor at a time, for its
// whole lifetime.
func Shared(records []lifetime.Record, objects []int, sizes []int64, total int64) error {
	if err := lifetime.CheckRecords(records); err != nil {
		return err
	}
	if len(objects) != len(records) {
		return violation(Length, -1, -1, "%d objects for %d records", len(objects), len(records))
	}
	for i, r := range records {
		object := objects[i]
		if object < 0 || object >= len(sizes) {
			return violation(NoSuchObject, i, -1, "%s is in object %d of %d", label(records, i), object, len(sizes))
		}
		if sizes[object] < r.Size {
			return violation(ObjectTooSmall, i, -1, "%s of %s is in object %d of %s",
				label(records, i), units.ExactBytes(r.Size), object, units.ExactBytes(sizes[object]))
		}
	}
	if v := findClash(records, objects); v != nil {
		return v
	}
	return checkSum(sizes, total)
}

// findClash visits each object's tensors by first position: a tensor clashes with an earlier one if it
// begins before all of those have ended.
func findClash(records []lifetime.Record, objects []int) error {
	order := nonEmpty(records)
	slices.SortFunc(order, func(i, j int) int {
		switch {
		case objects[i] != objects[j]:
			return objects[i] - objects[j]
		case records[i].First < records[j].First:
			return -1
		case records[i].First > records[j].First:
			return 1
		}
		return i - j
	})
	for k := 1; k < len(order); k++ {
		// The tensors before k do not clash, so that the last of them ends last.
		i, j := order[k-1], order[k]
		if objects[i] == objects[j] && records[j].First <= records[i].Last {
			i, j = min(i, j), max(i, j)
			return violation(Overlap, i, j, "%s and %s are both in object %d",
				label(records, i), label(records, j), objects[i])
		}
	}
	return nil
}

func checkSum(sizes []int64, total int64) error {
	var sum int64
	for object, size := range sizes {
		if size < 0 || size > math.MaxInt64-sum {
			return violation(Overflow, -1, -1, "object %d has %s, and those before it have %s", object, units.ExactBytes(size), units.ExactBytes(sum))
		}
		sum += size
	}
	if sum != total {
		return violation(Total, -1, -1, "the plan says %s, but its objects have %s", units.ExactBytes(total), units.ExactBytes(sum))
	}
	return nil
}

func nonEmpty(records []lifetime.Record) []int {
	var indices []int
	for i, r := range records {
		if r.Size > 0 {
			indices = append(indices, i)
		}
	}
	return indices
}
