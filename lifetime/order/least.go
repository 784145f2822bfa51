package order

import (
	"cmp"
	"context"

	"golang.org/x/exp/slices"
)

// tooMany is the number of operators from which only the order given is looked at:
// who waits for whom takes a bit for every pair.
const tooMany = 20_000

// lastFlows is the round of [least.work] behind which every round takes states.
const lastFlows = 4

// fewFlows is how many operators get a flow before there is a better order.
const fewFlows = 16

// beamStates is about how many states a beam may find.
const beamStates = 40_000

// memory is about how many bytes the states of one search may take.
const memory = 256 << 20

// A least is the state of [Least] over all segments.
type least struct {
	p     *problem
	o     Options
	meter meter
	most  int64 // Options.States
	parts []*part
}

// A part is a segment on its way to an order with a proof.
type part struct {
	at          segment
	p           *problem
	forth, back *space
	floor       *floor
	order       []int32
	during      []int64 // the fewest bytes seen alive while each operator ran
	// own is the peak of the order given, peak that of order.
	own, peak, bound int64
}

func newLeast(ctx context.Context, p *problem, o Options) *least {
	l := &least{p: p, o: o, meter: meter{ctx: ctx}, most: int64(o.States)}
	if l.most == 0 {
		l.most = DefaultStates
	}
	return l
}

// improve changes order, which is the given one, to a better one where it finds
// one, and returns a lower bound, at least the one given.
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

// write puts the orders of the parts into order, but leaves parts as they were given
// where that makes the peak no higher.
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

// spent reports whether the search has to end.
func (l *least) spent() bool {
	return l.meter.spent >= l.most || l.meter.interrupted
}

// split makes the parts, given what is alive during and behind each operator.
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

// prepare simplifies the problem of the part and finds its quick bound.
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

// work does one round of the search for a part: what is quick first, then ever more
// states in both directions of time.
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

// flows raises the bound of a part by flows for at most n operators.
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

// share returns how many of the states a search may find.
func (l *least) share(s *part, states int64) int {
	states = min(states, l.most-l.meter.spent)
	return int(min(states, memory/stateBytes(len(s.order))))
}

// try runs a search and takes over what it finds.
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

// touched returns the largest sum of what one operator touches.
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

// open returns the parts the peak of which is above the bound, those with the highest
// bound first.
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
