package tiles

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
)

// A change adds bytes in use from a half step on, or removes them.
type change struct {
	at    int
	bytes int64
}

// bound returns the peak of bytes in use, or the size of the largest tensor if that is larger
// because parts of it are never in use. It may sort the changes.
func (v *view) bound() alloc.Bound {
	most, largest := mostLive(v.steps), int64(0)
	for _, r := range v.records {
		largest = max(largest, r.Size)
	}
	if largest > most {
		return alloc.Bound{Bytes: largest, Reason: "the size of the largest tensor"}
	}
	return alloc.Bound{Bytes: most, Reason: "the most bytes in use at one time"}
}

// mostLive returns the most bytes in use in one half step. It adds up an array of half steps unless
// there are many more half steps than changes; then it sorts the changes.
func mostLive(steps []change) (most int64) {
	end := 0
	for _, s := range steps {
		end = max(end, s.at+1)
	}
	if end <= 4*len(steps) {
		sums := make([]int64, end)
		for _, s := range steps {
			sums[s.at] += s.bytes
		}
		live := int64(0)
		for _, by := range sums {
			live += by
			most = max(most, live)
		}
		return most
	}
	slices.SortStableFunc(steps, func(a, b change) int { return a.at - b.at })
	live := int64(0)
	for k, s := range steps {
		live += s.bytes
		if k+1 == len(steps) || steps[k+1].at > s.at {
			most = max(most, live)
		}
	}
	return most
}
