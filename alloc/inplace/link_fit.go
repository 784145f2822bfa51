package inplace

import (
	"context"
	"math"

	"golang.org/x/exp/slices"
)

// A fitter plans link by link, and backtracks to other places of the passed records at a dead end.
type fitter struct {
	*Chain
	ctx          context.Context
	limit, nodes int64
	// left is the remaining number of links to plan. over reports that this number or the time is used up.
	left int
	over bool
	// outgoing are the places found for the newest outgoing record of each link.
	outgoing map[int][]int64
	// tried are the offsets of a link's records for given places of its ends, nil for none.
	tried map[try][]int64
	// failed maps states without a solution to the number of discrepancies tried from there. passed reports that
	// places were omitted because of that limit.
	failed map[state]int
	passed bool
	// offsets is the plan so far.
	offsets []int64
}

// tries returns the number of plans of links in one search.
func (c *Chain) tries() int {
	if c.fine {
		return 500 + 10*len(c.links)
	}
	return 2000 + len(c.links)
}

// A state is a link and the places of its incoming records.
type state struct {
	link int
	in   [wide]int64
}

// A try is a state and the place of the link's newest outgoing record.
type try struct {
	state
	out int64
}

// fit plans all links. A fine chain has too many plans for a depth-first search, which would only vary the last links. Its
// search is limited to few discrepancies: places that are not the first of their lists.
func (f *fitter) fit() bool {
	most := math.MaxInt
	if f.fine {
		most = 0
	}
	for ; ; most = 2*most + 1 {
		f.passed = false
		if f.fitFrom(state{}, most) {
			return true
		}
		if f.over || !f.passed {
			return false
		}
	}
}

// fitFrom plans a link and all later ones, with at most a number of discrepancies.
func (f *fitter) fitFrom(s state, most int) bool {
	if s.link == len(f.links) {
		return true
	}
	if known, ok := f.failed[s]; ok && known >= most {
		f.passed = f.passed || known < math.MaxInt
		return false
	}
	before := f.passed
	f.passed = false
	for i, out := range f.places(s.link) {
		if i > most {
			f.passed = true
			break
		}
		if next, ok := f.plan(s, out); ok && f.fitFrom(next, most-i) {
			return true
		}
		if f.over {
			return false
		}
	}
	if f.failed[s] = most; !f.passed {
		f.failed[s] = math.MaxInt // all places were tried
	}
	f.passed = f.passed || before
	return false
}

// places returns candidate places of the newest record that a link passes to the next: those that suit either
// link, and anywhere.
func (f *fitter) places(k int) []int64 {
	l := f.links[k]
	if l.newest < 0 {
		return []int64{Anywhere}
	}
	if list, ok := f.outgoing[k]; ok {
		return list
	}
	list := l.Outs(f.limit)
	// A record that the next link only passes on has to suit the link after it.
	for i, record := k+1, l.rows[l.newest]; i < len(f.links); i++ {
		next := f.links[i]
		at := slices.Index(next.rows, record)
		list = distinct(list, next.Ins(f.ctx, f.limit, f.nodes, slices.Index(next.in, at))...)
		if !slices.Contains(next.out, at) {
			break
		}
	}
	list = append(list, Anywhere)
	f.outgoing[k] = list
	return list
}

// plan plans one link with given places of its ends, and returns the next state.
func (f *fitter) plan(s state, out int64) (next state, ok bool) {
	l, t := f.links[s.link], try{s, out}
	offsets, ok := f.tried[t]
	if !ok {
		if f.left--; f.left < 0 || f.ctx.Err() != nil {
			f.over = true
			return next, false
		}
		offsets, _ = l.Fit(f.ctx, f.limit, f.nodes, s.in[:len(l.in)], out)
		f.tried[t] = offsets
	}
	if offsets == nil {
		return next, false
	}
	for k, i := range l.rows {
		f.offsets[i] = offsets[k]
	}
	next.link = s.link + 1
	copy(next.in[:], l.Out(offsets))
	return next, true
}
