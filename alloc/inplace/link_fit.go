package inplace

import (
	"context"

	"golang.org/x/exp/slices"
)

// A fitter goes from link to link, and back to another place of what is handed on where no
// way leads further.
type fitter struct {
	*Chain
	ctx          context.Context
	limit, nodes int64
	// left is how many plans of links may be looked for yet.
	left    int
	offsets []int64
	// known are the places that were found for what each link hands on.
	known map[int][]int64
	// dead are states that no way leads further from.
	dead map[state]bool
}

// mostTries is how many plans of links are looked for in one search.
const mostTries = 2000

// A state is a link, and where the record is that comes into it.
type state struct {
	link int
	in   int64
}

// alone reports whether there is a plan for each link by itself. Where there is none it would
// be looked for again with the records at its ends in each of many places.
func (f *fitter) alone() bool {
	for _, p := range f.links {
		if !slices.ContainsFunc(p.Free(f.ctx, f.limit, f.nodes), func(offsets []int64) bool { return offsets != nil }) {
			return false
		}
	}
	return true
}

// from plans a link and all behind it.
func (f *fitter) from(s state) bool {
	if s.link == len(f.links) {
		return true
	}
	if f.dead[s] {
		return false
	}
	for _, out := range f.places(s.link) {
		if next, ok := f.plan(s, out); ok && f.from(next) {
			return true
		}
	}
	f.dead[s] = true
	return false
}

// places returns where the record may be that a link hands on to the next: what either of
// them can do with, and anywhere.
func (f *fitter) places(k int) []int64 {
	if f.links[k].out < 0 {
		return []int64{Anywhere}
	}
	if list, ok := f.known[k]; ok {
		return list
	}
	// What the next link only hands on has to suit the one behind it.
	var next []*Link
	for _, p := range f.links[k+1:] {
		if next = append(next, p.Link); p.in < 0 || p.in != p.out {
			break
		}
	}
	list := f.links[k].Places(f.ctx, f.limit, f.nodes, next...)
	if at, ok := f.hints[f.links[k].rows[f.links[k].out]]; ok {
		list = distinct([]int64{at}, list...)
	}
	f.known[k] = list
	return list
}

// plan plans one link with the records at its ends in given places, and returns what is to be
// planned next.
func (f *fitter) plan(s state, out int64) (next state, ok bool) {
	f.left--
	l := f.links[s.link]
	if f.left < 0 {
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
