package inplace

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// An interval is a time between two cuts.
type interval struct {
	// first and last are positions, both inclusive.
	first, last int
	// in and out are the records that are alive across its ends, -1 for none.
	in, out int
}

// intervals cuts time after the end of a record if at most one other is alive from there to the next
// position.
func intervals(records []lifetime.Record) (list []interval) {
	var begins, ends []int // records by their first and by their last position
	for i, r := range records {
		if r.Size > 0 {
			begins, ends = append(begins, i), append(ends, i)
		}
	}
	slices.SortStableFunc(begins, func(i, j int) int { return cmp.Compare(records[i].First, records[j].First) })
	slices.SortStableFunc(ends, func(i, j int) int { return cmp.Compare(records[i].Last, records[j].Last) })
	if len(begins) == 0 {
		return nil
	}
	now := interval{first: records[begins[0]].First, in: -1, out: -1}
	alive := map[int]bool{}
	for len(ends) > 0 {
		at := records[ends[0]].Last
		for ; len(begins) > 0 && records[begins[0]].First <= at; begins = begins[1:] {
			alive[begins[0]] = true
		}
		for ; len(ends) > 0 && records[ends[0]].Last == at; ends = ends[1:] {
			delete(alive, ends[0])
		}
		if len(alive) > 1 {
			continue
		}
		now.last, now.out = at, -1
		for i := range alive {
			now.out = i
		}
		list = append(list, now)
		now = interval{first: at + 1, in: now.out, out: -1}
	}
	return list
}

// part returns the part of a record that is alive in an interval.
func (s interval) part(r lifetime.Record) lifetime.Record {
	gaps := r.Gaps
	r.First, r.Last, r.Gaps = max(r.First, s.first), min(r.Last, s.last), nil
	for _, g := range gaps {
		if g.First <= s.last && g.Last >= s.first {
			g.First, g.Last = max(g.First, s.first), min(g.Last, s.last)
			r.Gaps = append(r.Gaps, g)
		}
	}
	return r
}
