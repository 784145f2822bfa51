package lifetime

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/integer"
)

// A Section is a run of positions at which the same records are alive and hold the same bytes.
// A record is not alive in a gap in which it holds nothing.
type Section struct {
	// First and Last are positions, both inclusive.
	First, Last int
	// Breadth is the sum of the bytes that the records hold, the sum of the sizes of the live
	// ones if none is in a gap.
	Breadth int64
	// Alive is the number of live records.
	Alive int
}

// Sections returns the sections of the records in chronological order. There is no section
// while nothing is alive. Two adjacent sections differ in at least one record or in its bytes.
func Sections(records []Record) []Section {
	events := eventsOf(records)
	var sections []Section
	var breadth int64
	alive := 0
	for i := 0; i < len(events); {
		at := events[i].at
		for ; i < len(events) && events[i].at == at; i++ {
			breadth += events[i].size
			alive += events[i].count
		}
		if alive > 0 {
			sections = append(sections, Section{First: at, Last: events[i].at - 1, Breadth: breadth, Alive: alive})
		}
	}
	return sections
}

// An event is the change at a position: pieces begin or have just ended.
type event struct {
	at    int
	size  int64 // negative if a piece has ended
	count int
}

func eventsOf(records []Record) []event {
	events := make([]event, 0, 2*len(records))
	for _, r := range records {
		for p := range r.Pieces {
			held := p.Hi - p.Lo
			events = append(events, event{p.First, held, 1}, event{p.Last + 1, -held, -1})
		}
	}
	slices.SortFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	return events
}

// Peak returns the first section with the largest breadth: the records alive there cannot fit
// in fewer bytes. Without records it returns the zero section.
func Peak(records []Record) Section {
	var peak Section
	for _, s := range Sections(records) {
		if s.Breadth > peak.Breadth || peak.Alive == 0 {
			peak = s
		}
	}
	return peak
}

// Profile returns the operator profile at a position: the indexes of the records alive there,
// in order of decreasing bytes held; equal ones keep their given order. A record is omitted in
// a gap in which it holds nothing.
func Profile(records []Record, position int) []int {
	var alive []int
	held := map[int]int64{}
	for i, r := range records {
		if bytes, ok := r.held(position); ok {
			alive = append(alive, i)
			held[i] = bytes
		}
	}
	slices.SortStableFunc(alive, func(a, b int) int { return cmp.Compare(held[b], held[a]) })
	return alive
}

// Naive returns the bytes required without sharing: all records consecutively, in order, each
// at a multiple of its alignment, after the pinned ones.
func Naive(records []Record) int64 {
	var end int64
	for _, r := range records {
		if r.Pinned {
			end = max(end, r.Offset+r.Size)
		}
	}
	for _, r := range records {
		if align := r.Alignment(); !r.Pinned {
			end = integer.RoundUp(end, align) + r.Size
		}
	}
	return end
}

// Sum returns the sum of the sizes of records in bytes: the requirement if every record has its
// own shared object.
func Sum(records []Record) int64 {
	var sum int64
	for _, r := range records {
		sum += r.Size
	}
	return sum
}
