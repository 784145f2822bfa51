package order

import (
	"cmp"
	"context"

	"golang.org/x/exp/slices"
)

// tooMany is the number of operators from which only the given order is evaluated: the
// dependency relation takes a bit per pair.
const tooMany = 20_000

// lastFlows is the last round of [least.work] that may consist of flows alone.
const lastFlows = 4

// fewFlows is the number of operators with a flow before there is a better order.
const fewFlows = 16

// beamStates is the approximate state limit of a beam search.
const beamStates = 40_000

// memory is the approximate memory limit, in bytes, for the states of one search.
const memory = 256 << 20

// A least is the state of [Least] over all segments.
type least struct {
	p     *problem
	o     Options
	meter meter
	most  int64 // Options.States
	parts []*part
}

// A part is a segment and the best order found for it.
type part struct {
	at          segment
	p           *problem
	forth, back *space
	floor       *floor
	order       []int32
	during      []int64 // the fewest bytes found alive while each operator ran
	// own is the peak of the given order, peak the peak of order.
	own, peak, bound int64
}

func newLeast(ctx context.Context, p *problem, o Options) *least {
	l := &least{p: p, o: o, meter: meter{ctx: ctx}, most: int64(o.States)}
	if l.most == 0 {
		l.most = DefaultStates
	}
	return l
}

// improve replaces order, the given one, with a better one if it finds one, and returns a lower
// bound, at least the given one.
func (l *least) improve(order []int32, bound int64) int64 {
	if len(order) == 0 {
		return bound
	}
	during, behind := l.p.lives(order)
	if len(order) > tooMany {
		return max(bound, touched(l.p))
	}
	l.split(during, behind)
	for round := 0; ; round++ {
		for _, s := range l.parts {
			bound = max(bound, s.bound)
		}
		open := l.open(bound)
		if len(open) == 0 || l.meter.interrupted || round > lastFlows && l.spent() {
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
func (l *least) write(order []int32, peak int64) {
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
func (l *least) spent() bool {
	return l.meter.spent >= l.most || l.meter.interrupted
}

// split makes the parts, from the bytes alive during and after each operator.
func (l *least) split(during, behind []int64) {
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
	s.order = p.given()
	anc, desc := above(p.preds), below(p.succs)
	p.simplify(anc)
	s.p = p
	s.forth = newSpace(p, anc, desc, w)
	s.back = newSpace(p.reversed(), desc, anc, w)
	s.floor = &floor{p: p, anc: anc, desc: desc, known: newSet(len(p.preds))}
	s.bound = touched(p)
	if len(p.preds) <= most {
		s.bound = max(s.bound, s.floor.quick())
	}
}

// work runs one round of the search for a part: cheap methods first, then searches with ever
// more states in both directions of time.
func (l *least) work(s *part, round int, bound int64) {
	w := l.o.Without
	switch {
	case round == 0:
		l.flows(s, bound, fewFlows)
	case round == 1 && !w.Beam:
		l.beam(s, bound, true, 1)
	case round == 3 && !w.Beam:
		l.beam(s, bound, false, 1)
	case round == 2 || round == lastFlows:
		l.flows(s, bound, len(s.order))
	case round == lastFlows+2 && !w.Beam:
		l.beam(s, bound, true, 32)
		l.beam(s, bound, false, 32)
	case round > lastFlows:
		states := int64(1000) << (2 * min(round-lastFlows-1, 20))
		l.best(s, bound, false, states)
		if !w.Back {
			l.best(s, bound, true, states)
		}
	}
}

// flows raises the lower bound of a part by flows for at most n operators.
func (l *least) flows(s *part, bound int64, n int) {
	if !l.o.Without.Flows && len(s.order) <= most {
		s.bound = max(s.bound, s.floor.cuts(bound, s.during, n, &l.meter))
	}
}

func (l *least) beam(s *part, bound int64, back bool, width int) {
	l.try(s, bound, back, func(x *space) found {
		return beam(x, s.peak, bound, width, l.share(s, beamStates), &l.meter)
	})
}

func (l *least) best(s *part, bound int64, back bool, states int64) {
	l.try(s, bound, back, func(x *space) found {
		return best(x, s.peak, bound, l.share(s, states), &l.meter)
	})
}

// share returns the state limit of a search.
func (l *least) share(s *part, states int64) int {
	states = min(states, l.most-l.meter.spent)
	return int(min(states, memory/stateBytes(len(s.order))))
}

// try runs a search and records its result.
func (l *least) try(s *part, bound int64, back bool, search func(*space) found) {
	if s.peak <= max(bound, s.bound) || l.spent() {
		return
	}
	x := s.forth
	if back {
		x = s.back
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

// touched returns the largest sum of the sizes that one operator touches.
func touched(p *problem) int64 {
	var bound int64
	for v, list := range p.touch {
		sum := p.base + p.extra[v]
		for _, x := range list {
			sum += p.values[x].size
		}
		bound = max(bound, sum)
	}
	return bound
}

// open returns the parts with a peak above the bound, in order of decreasing bound.
func (l *least) open(bound int64) []*part {
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
