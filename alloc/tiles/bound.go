package tiles

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
)

// A change says that from a half step on more bytes are in use, or fewer.
type change struct {
	at    int
	bytes int64
}

// bound returns the most bytes in use in one half step, or the size of the largest tensor,
// which a plan needs even where parts of it are never in use. It may sort the changes.
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

// mostLive returns the most bytes in use in one half step. Where the half steps are not many
// more than the changes it has a sum for each of them, and otherwise it sorts the changes.
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
	slices.SortFunc(steps, func(a, b change) int { return a.at - b.at })
	live := int64(0)
	for k, s := range steps {
		live += s.bytes
		if k+1 == len(steps) || steps[k+1].at > s.at {
			most = max(most, live)
		}
	}
	return most
}
