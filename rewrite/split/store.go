package split

import "golang.org/x/exp/slices"

// A piece is a tensor that holds a region of a value.
type piece struct {
	tensor int
	region
}

// A store holds the pieces there are while the operators of a piece of the stage run.
type store struct {
	*emitter
	pieces map[int][]piece
	// read is the piece of each value that was asked for last.
	read map[int]piece
}

func newStore(e *emitter) *store {
	return &store{e, map[int][]piece{}, map[int]piece{}}
}

func (s *store) put(v int, p piece) { s.pieces[v] = append(s.pieces[v], p) }

// get returns a tensor that holds exactly a region of a value. It is one that there is,
// part of the smallest that covers the region, or strips joined.
func (s *store) get(v int, r region) int {
	p := s.find(v, r)
	s.read[v] = p
	return p.tensor
}

// rest is get for a region that is to outlive the others. It is taken from the piece
// that was read last, if that covers it: the others may be gone already.
func (s *store) rest(v int, r region) int {
	if p, ok := s.read[v]; ok && p.covers(r) && p.region != r && !s.has(v, r) {
		return s.slice(v, p, r)
	}
	return s.find(v, r).tensor
}

func (s *store) has(v int, r region) bool {
	return slices.ContainsFunc(s.pieces[v], func(p piece) bool { return p.region == r })
}

// find is get, and returns the piece.
func (s *store) find(v int, r region) piece {
	if !s.values[v].inside && len(s.pieces[v]) == 0 {
		s.put(v, piece{v, s.values[v].whole()})
	}
	best := -1
	for i, p := range s.pieces[v] {
		switch {
		case p.region == r:
			return p
		case p.covers(r) && (best < 0 || p.area() <= s.pieces[v][best].area()):
			best = i
		}
	}
	made := piece{region: r}
	if best >= 0 {
		made.tensor = s.slice(v, s.pieces[v][best], r)
	} else {
		made = s.assemble(v, r)
	}
	s.put(v, made)
	return made
}

// assemble joins the rows of a region from strips, none of which has them all.
func (s *store) assemble(v int, r region) piece {
	var parts []piece
	for at := r.y.from; at < r.y.to; {
		p := s.reaching(v, at)
		rows := region{span{at, min(p.y.to, r.y.to)}, r.x}
		parts = append(parts, s.find(v, rows))
		at = rows.y.to
	}
	return s.join(v, parts, -1)
}

// reaching returns the piece that holds a row and most of those behind it.
func (s *store) reaching(v int, row int64) piece {
	list := s.pieces[v]
	best := slices.IndexFunc(list, func(p piece) bool { return p.y.covers(span{row, row + 1}) })
	for i, p := range list {
		if p.y.covers(span{row, row + 1}) && p.y.to > list[best].y.to {
			best = i
		}
	}
	return list[best]
}

// run adds an operator that makes a piece as planned.
func (s *store) run(n *node, p plan) piece {
	values := n.read(p)
	if p.copied {
		return piece{s.get(values[0], p.ins[0]), p.out}
	}
	var inputs []int
	of := -1
	if n.operator != nil {
		inputs, of = slices.Clone(n.Inputs), n.Index
		for i, position := range n.uses {
			inputs[position] = s.get(values[i], p.ins[i])
		}
		s.MACs = plus(s.MACs, n.cost(p.out, p.ins[0]))
	} else {
		inputs = []int{s.get(values[0], p.ins[0]), -1}
	}
	for _, f := range p.fixed {
		inputs[f.position] = s.int32s(f.shape, f.data)
	}
	out := piece{region: p.out}
	out.tensor = s.tensor(n.out, p.out, "")
	s.add(editOperator(p, of, inputs, out.tensor))
	return out
}
