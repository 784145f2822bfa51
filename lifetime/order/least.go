package order

import (
	"cmp"
	"context"

	"golang.org/x/exp/slices"
)

// maxSearched is the number of operators from which only the given order is evaluated: the
// dependency relation takes a bit per pair.
const maxSearched = 20_000

// lastFlowRound is the last round of [segmentSearch.work] that may consist of flows alone.
const lastFlowRound = 4

// initialFlows is the number of operators with a flow before there is a better order.
const initialFlows = 16

// beamStates is the approximate state limit of a beam search.
const beamStates = 40_000

// maxStateBytes is the approximate memory limit, in bytes, for the states of one search.
const maxStateBytes = 256 << 20

// A segmentSearch is the state of [Least] over all segments.
type segmentSearch struct {
	p         *problem
	o         Options
	meter     meter
	maxStates int64 // Options.States
	parts     []*part
}

// A part is a segment and the best order found for it.
type part struct {
	at segment
	p  *problem
	// beams and proofs are the spaces of beam searches and of searches that prove something, forward and backward in time:
	// with shares, forced and lazy moves prove nothing.
	beams, proofs [2]*space
	lowerBounds   *lowerBounds
	order         []int32
	during        []int64 // the fewest bytes found alive while each operator ran
	// own is the peak of the given order, peak the peak of order.
	own, peak, bound int64
}

func newSegmentSearch(ctx context.Context, p *problem, o Options) *segmentSearch {
	l := &segmentSearch{p: p, o: o, meter: meter{ctx: ctx}, maxStates: int64(o.States)}
	if l.maxStates == 0 {
		l.maxStates = DefaultStates
	}
	return l
}

// improve replaces order, the given one, with a better one if it finds one, and returns a lower
// bound, at least the given one.
func (l *segmentSearch) improve(order []int32, bound int64) int64 {
	if len(order) == 0 {
		return bound
	}
	during, behind := l.p.lives(order)
	if len(order) > maxSearched {
		return max(bound, maxTouched(l.p))
	}
	l.split(during, behind)
	for round := 0; ; round++ {
		for _, s := range l.parts {
			bound = max(bound, s.bound)
		}
		open := l.openParts(bound)
		if len(open) == 0 || l.meter.interrupted || round > lastFlowRound && l.spent() {
			break
		}
		for _, s := range open {
			if s.peak > bound {
				l.work(s, round, bound)
				bound = max(bound, s.bound)
			}
		}
	}
	l.write(order, bound)
	return bound
}

// write copies the orders of the parts to order, but keeps parts in their given order if that
// does not raise the peak.
func (l *segmentSearch) write(order []int32, peak int64) {
	for _, s := range l.parts {
		peak = max(peak, s.peak)
	}
	for _, s := range l.parts {
		for i, v := range s.order {
			if s.own > peak {
				order[s.at.lo+i] = v + int32(s.at.lo)
			}
		}
	}
}

// spent reports whether the search must end.
func (l *segmentSearch) spent() bool {
	return l.meter.spent >= l.maxStates || l.meter.interrupted
}

// split makes the parts, from the bytes alive during and after each operator.
func (l *segmentSearch) split(during, behind []int64) {
	cuts := []segment{{0, len(during)}}
	if !l.o.Without.Cuts {
		cuts = segments(l.p.preds)
	}
	start := newRun(l.p).live
	for _, at := range cuts {
		live := start
		if at.lo > 0 {
			live = behind[at.lo-1]
		}
		s := &part{at: at, peak: slices.Max(during[at.lo:at.hi]), during: slices.Clone(during[at.lo:at.hi])}
		s.own, s.bound = s.peak, s.peak
		if at.hi-at.lo > 1 {
			s.prepare(l.p.part(at, live), l.o.Without)
		}
		l.parts = append(l.parts, s)
	}
}

// prepare simplifies the problem of the part and computes its quick bound.
func (s *part) prepare(p *problem, w Without) {
	s.order = p.givenOrder()
	anc, desc := above(p.preds), below(p.succs)
	p.simplify(anc)
	s.p = p
	spaces := func() [2]*space { return [2]*space{newSpace(p, anc, desc, w), newSpace(p.reversed(), desc, anc, w)} }
	s.beams = spaces()
	s.proofs = s.beams
	if p.most != nil {
		w.Lazy, w.Forced = true, true
		s.proofs = spaces()
	}
	s.lowerBounds = &lowerBounds{p: p, anc: anc, desc: desc, hasFlow: newSet(len(p.preds))}
	s.bound = maxTouched(p)
	if len(p.preds) <= maxQuadratic && p.most == nil {
		s.bound = max(s.bound, s.lowerBounds.quickBound())
	}
}

// work runs one round of the search for a part: cheap methods first, then searches with ever
// more states in both directions of time.
func (l *segmentSearch) work(s *part, round int, bound int64) {
	w := l.o.Without
	switch {
	case round == 0:
		l.flows(s, bound, initialFlows)
	case round == 1 && !w.Beam:
		l.beam(s, bound, true, 1)
	case round == 3 && !w.Beam:
		l.beam(s, bound, false, 1)
	case round == 2 || round == lastFlowRound:
		l.flows(s, bound, len(s.order))
	case round == lastFlowRound+2 && !w.Beam:
		l.beam(s, bound, true, 32)
		l.beam(s, bound, false, 32)
	case round > lastFlowRound:
		states := int64(1000) << (2 * min(round-lastFlowRound-1, 20))
		l.best(s, bound, false, states)
		if !w.Back {
			l.best(s, bound, true, states)
		}
	}
}

// flows raises the lower bound of a part by flows for at most n operators.
func (l *segmentSearch) flows(s *part, bound int64, n int) {
	if !l.o.Unproven && l.p.most == nil && len(s.order) <= maxQuadratic {
		s.bound = max(s.bound, s.lowerBounds.flowBound(bound, s.during, n, &l.meter))
	}
}

func (l *segmentSearch) beam(s *part, bound int64, back bool, width int) {
	l.try(s, &s.beams, bound, back, func(x *space) found {
		return beam(x, s.peak, bound, width, l.share(s, beamStates), &l.meter)
	})
}

func (l *segmentSearch) best(s *part, bound int64, back bool, states int64) {
	l.try(s, &s.proofs, bound, back, func(x *space) found {
		return best(x, s.peak, bound, l.share(s, states), &l.meter)
	})
}

// share returns the state limit of a search.
func (l *segmentSearch) share(s *part, states int64) int {
	states = min(states, l.maxStates-l.meter.spent)
	return int(min(states, maxStateBytes/stateBytes(len(s.order))))
}

// try runs a search and records its result.
func (l *segmentSearch) try(s *part, spaces *[2]*space, bound int64, back bool, search func(*space) found) {
	if s.peak <= max(bound, s.bound) || l.spent() {
		return
	}
	x := spaces[0]
	if back {
		x = spaces[1]
	}
	f := search(x)
	if f.bound > bound {
		s.bound = max(s.bound, f.bound)
	}
	if f.order == nil {
		return
	}
	if back {
		slices.Reverse(f.order)
	}
	during, _ := s.p.lives(f.order)
	if peak := slices.Max(during); peak < s.peak {
		s.order, s.peak = f.order, peak
	}
	for i, v := range f.order {
		s.during[v] = min(s.during[v], during[i])
	}
}

// maxTouched returns the largest sum of the sizes that one operator touches, less what it may share.
func maxTouched(p *problem) int64 {
	var bound int64
	for v, list := range p.touch {
		sum := p.base + p.extra[v]
		for _, x := range list {
			sum += p.values[x].size
		}
		bound = max(bound, sum-p.sharedMost(int32(v)))
	}
	return bound
}

// openParts returns the parts with a peak above the bound, in order of decreasing bound.
func (l *segmentSearch) openParts(bound int64) []*part {
	var list []*part
	for _, s := range l.parts {
		if s.peak > bound {
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, func(a, b *part) int {
		return cmp.Or(cmp.Compare(b.bound, a.bound), cmp.Compare(b.peak, a.peak))
	})
	return list
}
