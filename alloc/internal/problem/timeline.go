package problem

import (
	"golang.org/x/exp/slices"
)

// A Timeline maps positions to 0, 1, ... so that structures over time take memory by the number of
// records and not by the range of positions. It keeps only positions at which a record begins: two
// records overlap exactly if both are alive at the later one's first position, so nothing is lost.
type Timeline struct {
	// First and Last are each record's mapped interval, both inclusive.
	First, Last []int
	// Count is the number of positions kept.
	Count int
}

// NewTimeline returns the timeline of records.
func NewTimeline(records Records) Timeline {
	starts := make([]int, len(records))
	for i, r := range records {
		starts[i] = r.First
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	t := Timeline{make([]int, len(records)), make([]int, len(records)), len(starts)}
	for i, r := range records {
		t.First[i], _ = slices.BinarySearch(starts, r.First)
		at, found := slices.BinarySearch(starts, r.Last)
		if !found {
			at-- // the last beginning before r ends; r's own is one
		}
		t.Last[i] = at
	}
	return t
}
