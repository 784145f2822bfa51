package disjunctive

import (
	"cmp"

	"github.com/tflarena/tflarena/alloc/internal/problem"
)

// A search looks for the offsets of one part.
type search struct {
	*part
	matrix *matrix
	meter  *meter
	load   overload
}

// fit answers for one part and, if it fits, calls place with each record's offset. The capacity and the
// offsets are in grains.
func (p *part) fit(m *meter, capacity int64, place func(record int, at int64)) problem.Answer {
	if p.tooHigh(capacity) {
		return problem.Misfit
	}
	matrix, ok := newMatrix(p.tensors, capacity, m)
	if !ok {
		return problem.Misfit
	}
	s := &search{part: p, matrix: matrix, meter: m}
	if !s.breakTies() {
		return s.failed()
	}
	if !s.descend() {
		return s.failed()
	}
	for i, t := range p.tensors {
		place(t.record, matrix.at(0, i+1))
	}
	return problem.Fits
}

// failed returns the answer of a search without a plan.
func (s *search) failed() problem.Answer {
	if s.meter.over {
		return problem.Unknown
	}
	return problem.Misfit
}

// breakTies orders identical tensors: in a plan with another order they may be swapped.
func (s *search) breakTies() bool {
	for j := range s.tensors {
		for i := j - 1; i >= 0; i-- {
			if alike(s.tensors[i], s.tensors[j]) && (!s.explicitPairs || s.swappable(i, j)) {
				if !s.matrix.require(i+1, j+1, 0) {
					return false
				}
				s.matrix.trail = s.matrix.trail[:0] // never undone
				break
			}
		}
	}
	return true
}

func alike(a, b tensor) bool {
	if a.pinned || b.pinned || a.size != b.size || a.align != b.align || len(a.pieces) != len(b.pieces) {
		return false
	}
	for k := range a.pieces {
		if a.pieces[k] != b.pieces[k] {
			return false
		}
	}
	return true
}

// descend searches depth first. It returns true with the offsets in the matrix, or false with the
// matrix unchanged.
func (s *search) descend() bool {
	mark := s.matrix.mark()
	if !s.meter.node() || !s.propagate() || s.load.found(s) {
		s.matrix.undo(mark)
		return false
	}
	b, open := s.choose()
	if !open {
		return true
	}
	below := edge{b.pair.j + 1, b.pair.i + 1, -(b.gap.lo - 1)}
	above := edge{b.pair.i + 1, b.pair.j + 1, b.gap.hi + 1}
	first, second := above, below
	if b.below > b.above {
		first, second = below, above
	}
	for _, e := range []edge{first, second} {
		inner := s.matrix.mark()
		if s.matrix.require(e.u, e.v, e.least) && s.descend() {
			return true
		}
		s.matrix.undo(inner)
		if s.meter.over {
			break
		}
	}
	s.matrix.undo(mark)
	return false
}

// propagate cuts off the forbidden ends of all ranges until none is left. It returns false if a range
// is empty.
func (s *search) propagate() bool {
	for changed := true; changed; {
		changed = false
		for k := range s.pairs {
			p := &s.pairs[k]
			i, j := p.i+1, p.j+1
			lo, hi := s.matrix.at(i, j), -s.matrix.at(j, i)
			if least := p.least(lo); least > lo {
				if !s.matrix.require(i, j, least) {
					return false
				}
				changed = true
			}
			if most := p.most(hi); most < hi {
				if !s.matrix.require(j, i, -most) {
					return false
				}
				changed = true
			}
		}
	}
	return true
}

// A branching is a forbidden interval inside the range of a pair, with the room that
// is left below and above it.
type branching struct {
	pair         *pair
	gap          interval
	below, above int64
}

// choose returns the most constrained branching, the first of equal ones, and false if no range
// contains a forbidden interval.
func (s *search) choose() (best branching, open bool) {
	for k := range s.pairs {
		p := &s.pairs[k]
		lo, hi := s.matrix.at(p.i+1, p.j+1), -s.matrix.at(p.j+1, p.i+1)
		f, found := p.widest(lo, hi)
		if !found {
			continue
		}
		b := branching{pair: p, gap: f, below: f.lo - lo, above: hi - f.hi}
		if !open || b.compare(best) < 0 {
			best, open = b, true
		}
	}
	return best, open
}

// compare is negative if b is more constrained: less room on the narrow side, which fails soonest, then
// less room in all.
func (b branching) compare(c branching) int {
	return cmp.Or(cmp.Compare(min(b.below, b.above), min(c.below, c.above)), cmp.Compare(b.below+b.above, c.below+c.above))
}
