package inplace

import (
	"context"

	"golang.org/x/exp/slices"
)

// A fitter plans link by link, and backtracks to another place of the passed record at a dead end.
type fitter struct {
	*Chain
	ctx          context.Context
	limit, nodes int64
	// budget is the remaining number of plans of links to try.
	budget  int
	offsets []int64
	// outgoing are the places found for the outgoing record of each link.
	outgoing map[int][]int64
	// failed are states without a solution.
	failed map[state]bool
}

// maxTries is the largest number of plans of links in one search.
const maxTries = 2000

// A state is a link and the place of its incoming record.
type state struct {
	link int
	in   int64
}

// eachLinkFits reports whether each link has a plan by itself. A link without one would be tried again
// for many places of its ends.
func (f *fitter) eachLinkFits() bool {
	for _, p := range f.links {
		if !slices.ContainsFunc(p.Free(f.ctx, f.limit, f.nodes), func(offsets []int64) bool { return offsets != nil }) {
			return false
		}
	}
	return true
}

// fitFrom plans a link and all later ones.
func (f *fitter) fitFrom(s state) bool {
	if s.link == len(f.links) {
		return true
	}
	if f.failed[s] {
		return false
	}
	for _, out := range f.places(s.link) {
		if next, ok := f.plan(s, out); ok && f.fitFrom(next) {
			return true
		}
	}
	f.failed[s] = true
	return false
}

// places returns candidate places of the record that a link passes to the next: those that suit either
// link, and anywhere.
func (f *fitter) places(k int) []int64 {
	if f.links[k].out < 0 {
		return []int64{Anywhere}
	}
	if list, ok := f.outgoing[k]; ok {
		return list
	}
	// A record that the next link only passes on has to suit the link after it.
	var next []*Link
	for _, p := range f.links[k+1:] {
		if next = append(next, p.Link); p.in < 0 || p.in != p.out {
			break
		}
	}
	list := f.links[k].Places(f.ctx, f.limit, f.nodes, next...)
	f.outgoing[k] = list
	return list
}

// plan plans one link with given places of its ends, and returns the next state.
func (f *fitter) plan(s state, out int64) (next state, ok bool) {
	f.budget--
	l := f.links[s.link]
	if f.budget < 0 {
		return next, false
	}
	offsets, ok := l.Fit(f.ctx, f.limit, f.nodes, s.in, out)
	if !ok {
		return next, false
	}
	for k, i := range l.rows {
		f.offsets[i] = offsets[k]
	}
	return state{s.link + 1, l.Out(offsets)}, true
}
