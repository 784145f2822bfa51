package check

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// Aliased is [Offsets] for a plan in which records share memory on purpose: two that are
// alive together may do so where one of the takeovers names them both and they lie as it
// says, and in no other way. It compares all pairs.
func Aliased(records []lifetime.Record, offsets []int64, total int64, takeovers []lifetime.Takeover) error {
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
		for j := range i {
			if v := aliasedPair(records, offsets, j, i, takeovers); v != nil {
				return v
			}
		}
	}
	if end := largestEnd(records, offsets); end != total {
		return violation(Total, -1, -1, "the plan says %d bytes, its tensors end at %d", total, end)
	}
	return nil
}

// aliasedPair applies the law of overlaps to two records.
func aliasedPair(records []lifetime.Record, offsets []int64, i, j int, takeovers []lifetime.Takeover) *Violation {
	r, s := records[i], records[j]
	if !r.Overlaps(s) || offsets[i]+r.Size <= offsets[j] || offsets[j]+s.Size <= offsets[i] {
		return nil
	}
	permitted := slices.ContainsFunc(takeovers, func(t lifetime.Takeover) bool {
		return (t.From == i && t.To == j || t.From == j && t.To == i) && offsets[t.To]-offsets[t.From] == t.Offset
	})
	if permitted {
		return nil
	}
	// Gaps may keep them apart all the same.
	v := findOverlap([]lifetime.Record{r, s}, []int64{offsets[i], offsets[j]})
	if v != nil {
		v.Record, v.Other = i, j
		v.detail += ", and neither may take over the other there"
	}
	return v
}
