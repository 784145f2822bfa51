package split

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
)

// piece is a tensor that holds a region of a value.
type piece struct {
	tensor int
	region
}

// store holds the available pieces of a value while the operators of a tile run.
type store struct {
	pieces []piece
	// read is the piece requested last; its region is empty before the first request.
	read piece
}

func (e *emitter) clear() {
	if e.available == nil {
		e.available = make([]store, len(e.values))
	}
	for v := range e.available {
		e.available[v] = store{pieces: e.available[v].pieces[:0]}
	}
}

func (e *emitter) put(v int, p piece) { e.available[v].pieces = append(e.available[v].pieces, p) }

// get returns a tensor that holds exactly a region of a value: an existing one, part of the
// smallest that covers the region, or joined strips.
func (e *emitter) get(v int, r region) int {
	p := e.find(v, r)
	e.available[v].read = p
	return p.tensor
}

// rest is get for a region that outlives the others. It is cut from the piece read last if that
// covers it: the others may already be dead.
func (e *emitter) rest(v int, r region) int {
	if p := e.available[v].read; !p.empty() && p.covers(r) && p.region != r && !e.available[v].has(r) {
		return e.slice(v, p, r)
	}
	return e.find(v, r).tensor
}

func (s *store) has(r region) bool {
	return slices.ContainsFunc(s.pieces, func(p piece) bool { return p.region == r })
}

// find is like get, but returns the piece.
func (e *emitter) find(v int, r region) piece {
	if value := &e.values[v]; !value.inside && len(e.available[v].pieces) == 0 {
		e.put(v, piece{value.tensor, value.whole()})
	}
	pieces, best := e.available[v].pieces, -1
	for i, p := range pieces {
		switch {
		case p.region == r:
			return p
		case p.covers(r) && (best < 0 || p.area() <= pieces[best].area()):
			best = i
		}
	}
	made := piece{region: r}
	if best >= 0 {
		made.tensor = e.slice(v, pieces[best], r)
	} else {
		made = e.assemble(v, r)
	}
	e.put(v, made)
	return made
}

// assemble joins the rows of a region from several strips.
func (e *emitter) assemble(v int, r region) piece {
	var parts []piece
	for at := r.y.from; at < r.y.to; {
		p := e.available[v].reaching(at)
		rows := region{span{at, min(p.y.to, r.y.to)}, r.x}
		parts = append(parts, e.find(v, rows))
		at = rows.y.to
	}
	return e.join(v, parts, -1)
}

// reaching returns the piece that contains a row and extends furthest after it.
func (s *store) reaching(row int64) piece {
	list := s.pieces
	best := slices.IndexFunc(list, func(p piece) bool { return p.y.covers(span{row, row + 1}) })
	for i, p := range list {
		if p.y.covers(span{row, row + 1}) && p.y.to > list[best].y.to {
			best = i
		}
	}
	return list[best]
}

// run adds an operator that computes a planned piece.
func (e *emitter) run(n *node, p *plan) piece {
	values := n.read(p)
	if p.copied {
		return piece{e.get(values[0], p.ins[0]), p.out}
	}
	var inputs []int
	of := -1
	if n.operator != nil {
		inputs, of = e.lists.list(n.Inputs...), n.Index
		for i, position := range n.uses {
			inputs[position] = e.get(values[i], p.ins[i])
		}
		macs := n.cost(p.out, p.ins[0])
		if p.zeros != (filterZeros{}) {
			inputs[1] = e.widened(n.Inputs[1], p.zeros)
			macs = saturatingMul(macs/elements(e.shape(n.Inputs[1])), elements(e.shape(inputs[1])))
		}
		e.MACs = saturatingAdd(e.MACs, macs)
	} else {
		inputs = e.lists.list(e.get(values[0], p.ins[0]), -1)
	}
	if g, ok := n.geometry.(constantInputs); ok {
		if f, ok := g.constant(p); ok {
			inputs[f.position] = e.int32s(f.shape, f.data)
		}
	}
	out := piece{region: p.out}
	out.tensor = e.tensor(n.out, p.out, "")
	e.add(edit.Operator{Kind: p.kind, Of: of, Inputs: inputs, Outputs: e.lists.list(out.tensor)})
	return out
}
