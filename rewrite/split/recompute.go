package split

// recompute adds the pieces one after another, each with all that it needs.
func (e *emitter) recompute() {
	rows, columns := e.grid()
	if len(rows) == 1 {
		e.strip(rows[0], columns, e.out)
		return
	}
	e.joined(e.out, rows, e.out, func(y span) piece { return e.strip(y, columns, -1) })
}

// grid returns where the output is cut.
func (e *emitter) grid() (rows, columns []span) {
	out := e.values[e.out]
	x := pieces(out.w, e.stage.Columns)[e.stage.Columns/2]
	rows = e.balanced(out.h, e.stage.Rows, func(y span) int64 { return e.breadth(e.plans(region{y, x})) })
	y := rows[len(rows)/2]
	columns = e.balanced(out.w, e.stage.Columns, func(x span) int64 { return e.breadth(e.plans(region{y, x})) })
	return rows, columns
}

// strip adds the tiles of some rows of the output.
func (e *emitter) strip(y span, columns []span, into int) piece {
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
