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

// bound sorts the steps. It returns the most bytes in use in one half step, or the size of the largest tensor,
// which a plan needs even where parts of it are never in use.
func (v *view) bound() alloc.Bound {
	steps := v.steps
	slices.SortFunc(steps, func(a, b change) int { // what ends first
		if a.at == b.at {
			return int(max(-1, min(1, a.bytes-b.bytes)))
		}
		return a.at - b.at
	})
	var live, most, largest int64
	for _, s := range steps {
		live += s.bytes
		most = max(most, live)
	}
	for _, r := range v.records {
		largest = max(largest, r.Size)
	}
	if largest > most {
		return alloc.Bound{Bytes: largest, Reason: "the size of the largest tensor"}
	}
	return alloc.Bound{Bytes: most, Reason: "the most bytes in use at one time"}
}
