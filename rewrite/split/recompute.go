package split

// recompute adds the pieces one after another, each with all that it needs.
func (e *emitter) recompute() {
	out := e.values[e.out]
	if e.stage.Rows == 1 {
		e.strip(span{0, out.h}, e.out)
		return
	}
	e.joined(e.out, pieces(out.h, e.stage.Rows), e.out, func(y span) piece { return e.strip(y, -1) })
}

// strip adds the tiles of some rows of the output.
func (e *emitter) strip(y span, into int) piece {
	columns := pieces(e.values[e.out].w, e.stage.Columns)
	return e.joined(e.out, columns, into, func(x span) piece { return e.tile(region{y, x}) })
}

// tile adds the operators of one piece of the output.
func (e *emitter) tile(r region) piece {
	plans := e.plans(r)
	s := newStore(e)
	for i, n := range e.nodes {
		if plans[i] != nil {
			s.put(n.out, s.run(n, *plans[i]))
		}
	}
	return piece{s.get(e.out, r), r}
}

// plans returns what each node does for a piece of the output, nil where it is not
// needed. What several nodes read of a value is computed once, as one region around all
// of that.
func (e *emitter) plans(r region) []*plan {
	need := map[int]region{e.out: r}
	plans := make([]*plan, len(e.nodes))
	for i := len(e.nodes) - 1; i >= 0; i-- {
		n := e.nodes[i]
		if need[n.out].empty() {
			continue
		}
		p := n.plan(need[n.out])
		plans[i] = &p
		for k, v := range n.read(p) {
			need[v] = need[v].hull(p.ins[k])
		}
	}
	return plans
}
