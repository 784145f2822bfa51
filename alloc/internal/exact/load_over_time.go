package exact

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
)

// A loadOverTime is the total bytes of records over time, all bytes of each, windows or not.
type loadOverTime struct {
	times []int
	bytes []int64
	work  []int64
}

func newLoadOverTime(records problem.Records) *loadOverTime {
	l := &loadOverTime{}
	for _, r := range records {
		for p := range r.Pieces {
			l.times = append(l.times, p.First, p.Last+1)
		}
	}
	slices.Sort(l.times)
	l.times = slices.Compact(l.times)
	l.bytes = make([]int64, len(l.times))
	for _, r := range records {
		for p := range r.Pieces {
			l.add(l.bytes, p.First, p.Last, r.Size)
		}
	}
	return l
}

// add adds bytes from a position to another, both inclusive, both in l.times.
func (l *loadOverTime) add(bytes []int64, first, last int, size int64) {
	from, _ := slices.BinarySearch(l.times, first)
	to, _ := slices.BinarySearch(l.times, last+1)
	for i := from; i < to; i++ {
		bytes[i] += size
	}
}

// within reports whether the loads are within a capacity at all times, if records with an offset count
// only with the bytes they hold.
func (l *loadOverTime) within(records problem.Records, offsets map[int]int64, capacity int64) bool {
	l.work = append(l.work[:0], l.bytes...)
	for i := range offsets {
		for p := range records[i].Pieces {
			l.add(l.work, p.First, p.Last, p.Hi-p.Lo-records[i].Size)
		}
	}
	return !slices.ContainsFunc(l.work, func(bytes int64) bool { return bytes > capacity })
}
