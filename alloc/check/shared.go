package check

import (
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// Shared returns nil when objects is a right plan for records: record i lies
// alone in object objects[i], whose size in bytes is sizes[objects[i]], while it
// is alive; total is the sum of sizes. Otherwise it returns a [*Violation] for
// the first law found broken, or a plain error for records that
// [lifetime.CheckRecords] refuses. Alignments and pins mean nothing here, nor do
// gaps: an object holds one whole tensor at a time, for all of its life.
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

// findClash looks at each object's tensors in order of birth: a tensor clashes
// with an earlier one exactly when it is born before all of those have died.
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
		// Up to here no two clash, so the one before is the last to die.
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
