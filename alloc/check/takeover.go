package check

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/commas"
	"github.com/tflarena/tflarena/lifetime"
)

// Aliased is [Offsets] for a plan in which records share memory on purpose: two records
// that are alive together may do so where one of the takeovers or overlaps names both and they
// lie as it says, and in no other way. It compares all pairs that are alive together.
func Aliased(records []lifetime.Record, offsets []int64, total int64, takeovers []lifetime.Takeover, overlaps []lifetime.Overlap) error {
	if err := lifetime.CheckRecords(records); err != nil {
		return err
	}
	if len(offsets) != len(records) {
		return violation(Length, -1, -1, "%d offsets for %d records", len(offsets), len(records))
	}
	permitted := map[lifetime.Takeover]bool{} // without reasons
	for _, t := range takeovers {
		permitted[lifetime.Takeover{From: t.From, To: t.To, Offset: t.Offset}] = true
		permitted[lifetime.Takeover{From: t.To, To: t.From, Offset: -t.Offset}] = true
	}
	trails := map[[2]int]lifetime.Overlap{}
	for _, o := range overlaps {
		trails[[2]int{min(o.From, o.To), max(o.From, o.To)}] = o
	}
	order := make([]int, len(records))
	for i := range records {
		order[i] = i
		if v := checkPlacement(records, offsets, i); v != nil {
			return v
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(records[i].First, records[j].First) })
	var alive []int
	for _, i := range order {
		alive = slices.DeleteFunc(alive, func(j int) bool { return records[j].Last < records[i].First })
		for _, j := range alive {
			a, b := min(i, j), max(i, j)
			if trail, ok := trails[[2]int{a, b}]; ok && trailing(records, offsets, trail) {
				continue
			}
			if v := aliasedPair(records, offsets, a, b, permitted); v != nil {
				return v
			}
		}
		alive = append(alive, i)
	}
	if end := largestEnd(records, offsets); end != total {
		return violation(Total, -1, -1, "the plan says %s, but its tensors end at %s", commas.Bytes(total), commas.Number(end))
	}
	return nil
}

// trailing reports whether the two records of an overlap meet at its operator alone, and lie as
// far apart there as it demands.
func trailing(records []lifetime.Record, offsets []int64, o lifetime.Overlap) bool {
	return records[o.From].Last == o.At && records[o.To].First == o.At && offsets[o.From]-offsets[o.To] >= o.Distance
}

// aliasedPair applies the law of overlaps to two records.
func aliasedPair(records []lifetime.Record, offsets []int64, i, j int, permitted map[lifetime.Takeover]bool) *Violation {
	r, s := &records[i], &records[j] // there may be very many pairs
	if r.First > s.Last || s.First > r.Last || offsets[i]+r.Size <= offsets[j] || offsets[j]+s.Size <= offsets[i] {
		return nil
	}
	if permitted[lifetime.Takeover{From: i, To: j, Offset: offsets[j] - offsets[i]}] {
		return nil
	}
	// Gaps may keep them apart all the same.
	v := findOverlap([]lifetime.Record{*r, *s}, []int64{offsets[i], offsets[j]})
	if v != nil {
		v.Record, v.Other = i, j
		v.detail += ", and neither may take over the other there"
	}
	return v
}
