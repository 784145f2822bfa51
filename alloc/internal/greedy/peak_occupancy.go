package greedy

import (
	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/alloc/internal/sets"
)

// minPeakRecords is the number of records alive at one position that makes a peakOccupancy pay off.
// Networks stay far below it.
const minPeakRecords = 256

// A peakOccupancy is an occupancy that keeps one union of all records alive at the busiest position. A
// window with this position uses the union directly, whereas an occupancy would merge as many runs as
// its tree has levels.
type peakOccupancy struct {
	everything, rest *sets.Occupancy // rest has no record alive at the position
	position         int
	union            []sets.Span
	merged           []sets.Span
}

// newPeakOccupancy returns an empty peakOccupancy for records in a timeline. It is a plain occupancy
// if no position has more than enough records alive.
func newPeakOccupancy(time problem.Timeline, enough int) *peakOccupancy {
	alive := make([]int, time.Count+1)
	for i := range time.First {
		alive[time.First[i]]++
		alive[time.Last[i]+1]--
	}
	b := &peakOccupancy{everything: sets.NewOccupancy(time.Count), position: -1}
	most := enough
	for p := range time.Count {
		if p > 0 {
			alive[p] += alive[p-1]
		}
		if alive[p] > most {
			b.position, most = p, alive[p]
		}
	}
	if b.position >= 0 {
		b.rest = sets.NewOccupancy(time.Count)
	}
	if b.position >= 0 && most == len(time.First) {
		b.everything = nil // every window has the position
	}
	return b
}

// add takes s from first to last, both inclusive.
func (b *peakOccupancy) add(first, last int, s sets.Span) {
	if b.everything != nil {
		b.everything.Add(first, last, s)
	}
	switch {
	case first <= b.position && b.position <= last:
		b.union, _ = sets.Unite(b.union, s)
	case b.position >= 0:
		b.rest.Add(first, last, s)
	}
}

// taken returns what [occupancy.taken] does.
func (b *peakOccupancy) taken(first, last int) []sets.Span {
	if b.position < first || last < b.position {
		return b.everything.Taken(first, last)
	}
	rest := b.rest.Taken(first, last)
	if len(rest) == 0 {
		return b.union
	}
	b.merged = sets.Merge(b.merged[:0], 0, b.union, rest)
	return b.merged
}
