package fit

import (
	"github.com/tflarena/tflarena/alloc/chain"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/split"
)

// link returns the part of a plan that an edge is.
func (r *row) link(e *edge) (*chain.Link, error) {
	base := len(r.model.Subgraphs[0].Tensors)
	f, err := r.fragment(e, base)
	if err != nil {
		return nil, err
	}
	s := r.scene(f, base, e.from, e.to-1)
	s.takeOver()
	s.remain()
	for t, size := range r.size {
		if r.isBeside(t, e.from, e.to-1) {
			s.index[t] = int32(len(s.records) + 1)
			s.records = append(s.records, lifetime.Record{First: 0, Last: len(f.Operators) + 1, Size: size, Align: align})
		}
	}
	return chain.NewLink(s.records, s.takeovers, s.handed(e.from), s.handed(e.to)), nil
}

// fragment returns the operators of an edge, as they are or in pieces; base is the index of
// the first tensor that is added.
func (r *row) fragment(e *edge, base int) (*split.Fragment, error) {
	if e.stage != nil {
		return split.Cut(r.model, *e.stage, base)
	}
	f := &split.Fragment{}
	for i := e.from; i < e.to; i++ {
		f.Operators = append(f.Operators, edit.Operator{Kind: edit.Keep, Of: i})
	}
	return f, nil
}

// handed returns the record of the one tensor that is alive across a boundary, -1 where there
// are others.
func (s *scene) handed(boundary int) int {
	if t := s.crossing(boundary); t >= 0 {
		return int(s.index[t]) - 1
	}
	return -1
}

// crossing returns the one tensor that is alive across a boundary, -1 where there are others.
func (r *row) crossing(boundary int) int {
	one := -1
	for t, size := range r.size {
		if size > 0 && r.first[t] < boundary && r.last[t] >= boundary {
			if one >= 0 {
				return -1
			}
			one = t
		}
	}
	return one
}
