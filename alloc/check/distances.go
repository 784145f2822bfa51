package check

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// Distances is [Offsets] for records that may share bytes although both are in use: forbid returns for
// two records a < b whose usage intervals overlap the forbidden differences offset[b]-offset[a] in
// bytes, as closed ranges in any order; all other differences are allowed. It is not called for empty
// records. Distances compares all pairs whose intervals overlap.
func Distances(records []lifetime.Record, offsets []int64, total int64, forbid func(a, b int) []lifetime.Range) error {
	return judge(records, offsets, total, func() *Violation {
		return eachPair(records, func(a, b int) *Violation { return forbiddenPair(records, offsets, a, b, forbid) })
	})
}

// eachPair calls law for all non-empty records a < b that are alive together, until it finds a
// violation.
func eachPair(records []lifetime.Record, law func(a, b int) *Violation) *Violation {
	order := make([]int, len(records))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(records[i].First, records[j].First) })
	var alive []int
	for _, i := range order {
		if records[i].Size == 0 {
			continue
		}
		alive = slices.DeleteFunc(alive, func(j int) bool { return records[j].Last < records[i].First })
		for _, j := range alive {
			if v := law(min(i, j), max(i, j)); v != nil {
				return v
			}
		}
		alive = append(alive, i)
	}
	return nil
}

// forbiddenPair applies the law of overlaps to two records.
func forbiddenPair(records []lifetime.Record, offsets []int64, a, b int, forbid func(a, b int) []lifetime.Range) *Violation {
	distance := offsets[b] - offsets[a]
	if -distance >= records[b].Size || distance >= records[a].Size {
		return nil // disjoint, which is never forbidden
	}
	for _, r := range forbid(a, b) {
		if r.Lo <= distance && distance <= r.Hi {
			return violation(Overlap, a, b, "%s and %s are %s apart: from %s to %s they may not be",
				label(records, a), label(records, b), units.ExactBytes(distance), units.Number(r.Lo), units.Number(r.Hi))
		}
	}
	return nil
}
