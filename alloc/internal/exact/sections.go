package exact

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/packing"
	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/lifetime"
)

// sectionsOf maps positions to sections: times at which the same records are held, without those that
// are part of a neighbour. It returns each record's spans of sections, and their number. A record is
// not held in gaps that leave it no byte; with some bytes it counts as held whole.
func sectionsOf(records problem.Records) (spans [][]packing.Span, count int) {
	events := eventsOf(records)
	index := func(position int) int {
		at, _ := slices.BinarySearch(events, position)
		return at
	}
	begins, ends := make([]bool, len(events)), make([]bool, len(events))
	for _, r := range records {
		for _, h := range heldTimes(r) {
			begins[index(h.first)] = true
			ends[index(h.last+1)-1] = true
		}
	}
	next, last, count := maximalSections(begins, ends)
	spans = make([][]packing.Span, len(records))
	for i, r := range records {
		for _, h := range heldTimes(r) {
			from, to := next[index(h.first)], last[index(h.last+1)-1]
			spans[i] = append(spans[i], packing.Span{First: from, Last: to})
		}
	}
	return spans, count
}

// maximalSections keeps a section if a record ends there after one began since the last kept one. It
// returns for each section the next kept one and the last kept one, inclusive.
func maximalSections(begins, ends []bool) (next, last []int32, count int) {
	next, last = make([]int32, len(begins)), make([]int32, len(begins))
	grown := false
	for t := range begins {
		grown = grown || begins[t]
		next[t] = int32(count)
		if grown && ends[t] {
			count++
			grown = false
		}
		last[t] = int32(count) - 1
	}
	return next, last, count
}

// A heldTime is a time during which a record is held; both ends are inclusive.
type heldTime struct{ first, last int }

// heldTimes returns the times at which a record is held, whole or in part, ascending and disjoint.
func heldTimes(r lifetime.Record) (times []heldTime) {
	for p := range r.Pieces {
		if n := len(times); n > 0 && times[n-1].last+1 == p.First {
			times[n-1].last = p.Last
			continue
		}
		times = append(times, heldTime{p.First, p.Last})
	}
	return times
}

// eventsOf returns the positions at which a record begins or ceases to be held.
func eventsOf(records problem.Records) []int {
	var events []int
	for _, r := range records {
		for _, h := range heldTimes(r) {
			events = append(events, h.first, h.last+1)
		}
	}
	slices.Sort(events)
	return slices.Compact(events)
}
