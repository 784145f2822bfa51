package inplace

import (
	"cmp"
	"sort"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// An interval is a time between two cuts.
type interval struct {
	// first and last are positions, both inclusive.
	first, last int
	// in and out are the records that are alive across its ends, in the order in which they begin.
	in, out []int
	// whole is the number of records of the interval from which it was cut, zero if that was all of time.
	whole int
}

// intervals cuts time after the end of a record if at most one other is alive from there to the next
// position. An interval with more than many records is cut again where up to wide records are alive,
// first where there are two, and so on, if at most one of them begins in the interval that ends there
// and none is pinned.
func intervals(records []lifetime.Record, wide, many int) []interval {
	c := newCutter(records)
	n := len(c.ends)
	if n == 0 {
		return nil
	}
	list := c.cut(interval{first: records[c.begins[0]].First, last: records[c.ends[n-1]].Last}, 1)
	for most := 2; most <= wide; most++ {
		var finer []interval
		for _, s := range list {
			n := c.records(s)
			if n <= many {
				finer = append(finer, s)
				continue
			}
			if s.whole == 0 {
				s.whole = n
			}
			finer = append(finer, c.cut(s, most)...)
		}
		list = finer
	}
	return list
}

// A cutter cuts time into intervals. begins and ends are the records with a size, sorted by first and by last position.
type cutter struct {
	all          []lifetime.Record
	begins, ends []int
}

func newCutter(records []lifetime.Record) *cutter {
	c := &cutter{all: records}
	for i, r := range records {
		if r.Size > 0 {
			c.begins, c.ends = append(c.begins, i), append(c.ends, i)
		}
	}
	slices.SortStableFunc(c.begins, func(i, j int) int { return cmp.Compare(records[i].First, records[j].First) })
	slices.SortStableFunc(c.ends, func(i, j int) int { return cmp.Compare(records[i].Last, records[j].Last) })
	return c
}

// begun counts the records that begin at or before a position, ended the records that end before it.
func (c *cutter) begun(at int) int {
	return sort.Search(len(c.begins), func(k int) bool { return c.all[c.begins[k]].First > at })
}

func (c *cutter) ended(at int) int {
	return sort.Search(len(c.ends), func(k int) bool { return c.all[c.ends[k]].Last >= at })
}

// records returns the number of records that are alive in an interval.
func (c *cutter) records(s interval) int { return c.begun(s.last) - c.ended(s.first) }

// cut cuts an interval where at most some records are alive. If that is several, at most one of them begins in the part
// that ends there, and none is pinned.
func (c *cutter) cut(s interval, most int) (list []interval) {
	alive := slices.Clone(s.in)
	now := interval{first: s.first, in: s.in, whole: s.whole}
	begins := c.begins[c.begun(s.first-1):]
	for ends := c.ends[c.ended(s.first):]; len(ends) > 0; {
		at := c.all[ends[0]].Last
		if at > s.last {
			break
		}
		for ; len(begins) > 0 && c.all[begins[0]].First <= at; begins = begins[1:] {
			alive = append(alive, begins[0])
		}
		for ; len(ends) > 0 && c.all[ends[0]].Last == at; ends = ends[1:] {
			k := slices.Index(alive, ends[0])
			alive = slices.Delete(alive, k, k+1)
		}
		if at == s.last || len(alive) > most {
			continue
		}
		if most > 1 && (len(without(alive, now.in)) > 1 || slices.ContainsFunc(alive, func(i int) bool { return c.all[i].Pinned })) {
			continue
		}
		now.last, now.out = at, append([]int(nil), alive...)
		list = append(list, now)
		now = interval{first: at + 1, in: now.out, whole: s.whole}
	}
	if now.first <= s.last {
		now.last, now.out = s.last, s.out
		list = append(list, now)
	}
	return list
}

// without returns the numbers of a list that are not in another.
func without(list, other []int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(i int) bool { return slices.Contains(other, i) })
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
