package parts

import (
	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/rewrite/split"
)

// link returns the link of a memory plan for a fragment that replaces the operators between two
// boundaries.
func (r *Row) link(f *split.Fragment, from, to int) *inplace.Link {
	s := r.scene(f, from, to-1)
	if r.shares() {
		s.takeOver()
		s.overlap()
		s.remain()
	}
	for t, size := range r.size {
		if r.isBeside(t, from, to-1) {
			s.index[t] = int32(len(s.records) + 1)
			s.records = append(s.records, lifetime.Record{First: 0, Last: len(f.Operators) + 1, Size: size, Align: Align})
		}
	}
	return inplace.NewLink(s.records, s.takeovers, s.overlaps, s.handed(from), s.handed(to))
}

// handed returns the record of the only tensor live across a boundary, -1 if there is not
// exactly one.
func (s *scene) handed(boundary int) int {
	if t := s.row.Crossing(boundary); t >= 0 {
		return int(s.index[t]) - 1
	}
	return -1
}
