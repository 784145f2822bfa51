package coloring

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
)

// grow raises a vector as far as it still has no room: first all entries, so that the rest after the
// cut is expensive, and then each single one.
func (s *search) grow(vector []int, f *fitter, nodes int64) *cut {
	if s.opt.without.cuts {
		return &cut{slices.Clone(vector)}
	}
	g := grower{s: s, f: f, nodes: nodes, top: s.growEvenly(vector, f, nodes)}
	g.raise(0, len(g.top))
	return &cut{falling(g.top)}
}

// growEvenly finds by bisection the largest cost at which no vector that costs so much more has room,
// and returns the smallest vector above all of them.
func (s *search) growEvenly(vector []int, f *fitter, nodes int64) []int {
	best := slices.Clone(vector)
	lo, hi := int64(0), s.res.Total-s.total(vector) // lo has no room, hi may have
	for next := hi - 1; lo+1 < hi && !s.meter.over(); next = lo + (hi-lo)/2 {
		top := s.within(vector, next)
		if f.decide(top, nodes) == problem.Misfit {
			lo, best = next, top
		} else {
			hi = next
		}
	}
	return best
}

// A grower raises the entries of a vector without room one by one.
type grower struct {
	s     *search
	f     *fitter
	nodes int64
	top   []int // may rise; each entry is capped by those before it
}

// raise raises the entries from..to, half-open, to the ceiling if possible. The last ones come first:
// they are the cheapest to raise.
func (g *grower) raise(from, to int) {
	old, before := slices.Clone(g.top[from:to]), falling(g.top)
	for k := from; k < to; k++ {
		g.top[k] = max(g.top[k], g.s.ceiling[k])
	}
	if slices.Equal(before, falling(g.top)) {
		copy(g.top[from:to], old)
		return
	}
	if g.fails() {
		return
	}
	copy(g.top[from:to], old)
	if g.s.meter.over() {
		return
	}
	if to-from == 1 {
		g.raiseEntry(from)
		return
	}
	mid := (from + to) / 2
	g.raise(mid, to)
	g.raise(from, mid)
}

// raiseEntry raises an entry below the ceiling as far as there is no room.
func (g *grower) raiseEntry(k int) {
	lo, hi := g.top[k], g.s.ceiling[k]
	for lo+1 < hi {
		g.top[k] = (lo + hi) / 2
		if g.fails() {
			lo = g.top[k]
		} else {
			hi = g.top[k]
		}
	}
	g.top[k] = lo
}

func (g *grower) fails() bool { return g.f.decide(falling(g.top), g.nodes) == problem.Misfit }

// falling returns the vector with each entry capped by the least before it.
func falling(vector []int) []int {
	vector = slices.Clone(vector)
	for k := 1; k < len(vector); k++ {
		vector[k] = min(vector[k], vector[k-1])
	}
	return vector
}
