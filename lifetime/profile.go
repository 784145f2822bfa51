package lifetime

import (
	"cmp"

	"golang.org/x/exp/slices"
)

// A Section is a run of positions at which the same records are alive.
type Section struct {
	// First and Last are positions, both inclusive.
	First, Last int
	// Breadth is the sum of the sizes alive, in bytes.
	Breadth int64
	// Alive is the number of records alive.
	Alive int
}

// Sections returns the sections of the records in order of time, without those in
// which nothing is alive. Two neighbours differ in at least one record.
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
			sections = append(sections, Section{at, events[i].at - 1, breadth, alive})
		}
	}
	return sections
}

// An event is what changes at a position: records begin or have just ended.
type event struct {
	at    int
	size  int64 // negative when a record has ended
	count int
}

func eventsOf(records []Record) []event {
	events := make([]event, 0, 2*len(records))
	for _, r := range records {
		events = append(events, event{r.First, r.Size, 1}, event{r.Last + 1, -r.Size, -1})
	}
	slices.SortFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	return events
}

// Peak returns the first section of the largest breadth: the records alive there
// cannot fit in less than its breadth. Without records it returns the zero section.
func Peak(records []Record) Section {
	var peak Section
	for _, s := range Sections(records) {
		if s.Breadth > peak.Breadth || peak.Alive == 0 {
			peak = s
		}
	}
	return peak
}

// Profile returns the operator profile at a position: the indexes of the records
// alive there, larger sizes first, equal sizes in the order of records.
func Profile(records []Record, position int) []int {
	var alive []int
	for i, r := range records {
		if r.First <= position && position <= r.Last {
			alive = append(alive, i)
		}
	}
	slices.SortStableFunc(alive, func(a, b int) int {
		return cmp.Compare(records[b].Size, records[a].Size)
	})
	return alive
}

// Breadths returns the operator breadths at positions 0 to n-1, in bytes.
func Breadths(records []Record, n int) []int64 {
	breadths := make([]int64, n)
	for _, s := range Sections(records) {
		for p := max(s.First, 0); p <= min(s.Last, n-1); p++ {
			breadths[p] = s.Breadth
		}
	}
	return breadths
}

// Naive returns the bytes needed when every record has memory of its own.
func Naive(records []Record) int64 {
	var sum int64
	for _, r := range records {
		sum += r.Size
	}
	return sum
}
