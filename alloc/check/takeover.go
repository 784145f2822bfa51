package check

import "github.com/tflarena/tflarena/lifetime"

// Aliased is [Offsets] for a plan with intentional sharing: two records that are alive together may
// share bytes only as one of the takeovers or overlaps permits. It compares all pairs that are alive
// together.
func Aliased(records []lifetime.Record, offsets []int64, total int64, takeovers []lifetime.Takeover, overlaps []lifetime.Overlap) error {
	permitted := map[lifetime.Takeover]bool{} // without reasons
	for _, t := range takeovers {
		permitted[lifetime.Takeover{From: t.From, To: t.To, Offset: t.Offset}] = true
		permitted[lifetime.Takeover{From: t.To, To: t.From, Offset: -t.Offset}] = true
	}
	trails := map[[2]int]lifetime.Overlap{}
	for _, o := range overlaps {
		trails[[2]int{min(o.From, o.To), max(o.From, o.To)}] = o
	}
	return judge(records, offsets, total, func() *Violation {
		return eachPair(records, func(a, b int) *Violation {
			if trail, ok := trails[[2]int{a, b}]; ok && trailing(records, offsets, trail) {
				return nil
			}
			return aliasedPair(records, offsets, a, b, permitted)
		})
	})
}

// trailing reports whether the two records of an overlap are alive together only at its operator, with
// at least the required distance.
func trailing(records []lifetime.Record, offsets []int64, o lifetime.Overlap) bool {
	return records[o.From].Last == o.At && records[o.To].First == o.At && offsets[o.From]-offsets[o.To] >= o.Distance
}

// aliasedPair applies the law of overlaps to two records.
func aliasedPair(records []lifetime.Record, offsets []int64, i, j int, permitted map[lifetime.Takeover]bool) *Violation {
	r, s := &records[i], &records[j] // pointers, since there may be very many pairs
	if r.First > s.Last || s.First > r.Last || offsets[i]+r.Size <= offsets[j] || offsets[j]+s.Size <= offsets[i] {
		return nil
	}
	if permitted[lifetime.Takeover{From: i, To: j, Offset: offsets[j] - offsets[i]}] {
		return nil
	}
	// Gaps may still keep them apart.
	v := findOverlap([]lifetime.Record{*r, *s}, []int64{offsets[i], offsets[j]})
	if v != nil {
		v.Record, v.Other = i, j
		v.detail += ", and neither may take over the other there"
	}
	return v
}
