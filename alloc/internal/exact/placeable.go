package exact

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/alloc/internal/sets"
)

// placeableRounds bounds the passes over all records: dropping some makes room for others, but less and
// less.
const placeableRounds = 3

// placeable returns the records that find room within a capacity in bytes however all others are
// placed, in a possible order of dropping them: n records around one leave n+1 gaps, and if all gaps
// together exceed n+1 gaps too small for it, one is large enough. Sizes are multiples of step.
func placeable(records problem.Records, step, capacity int64) (later []int) {
	out := make([]bool, len(records))
	found := true
	for round := 0; found && round < placeableRounds; round++ {
		found = false
		for i, r := range records {
			if out[i] || r.Pinned || step%r.Alignment() != 0 {
				continue
			}
			free, gaps := capacity, int64(1)
			for j := range records {
				// As r.Overlaps, which would copy both records.
				if s := &records[j]; !out[j] && s.First <= r.Last && r.First <= s.Last && j != i {
					free -= s.Size
					gaps++
				}
			}
			if free > 0 && free/gaps > r.Size-step {
				out[i], found = true, true
				later = append(later, i)
			}
		}
	}
	return later
}

// placeLater puts dropped records into free space, the last dropped first.
func placeLater(records problem.Records, offsets []int64, later []int) {
	waiting := make([]bool, len(records))
	for _, i := range later {
		waiting[i] = true
	}
	for k := len(later) - 1; k >= 0; k-- {
		i := later[k]
		var taken []sets.Span
		for j, s := range records {
			if !waiting[j] && records[i].Overlaps(s) {
				taken = append(taken, sets.Span{Lo: offsets[j], Hi: offsets[j] + s.Size})
			}
		}
		slices.SortFunc(taken, func(a, b sets.Span) int { return int(min(max(a.Lo-b.Lo, -1), 1)) })
		offset := int64(0)
		for _, t := range taken {
			if offset+records[i].Size > t.Lo {
				offset = max(offset, t.Hi)
			}
		}
		offsets[i], waiting[i] = offset, false
	}
}
