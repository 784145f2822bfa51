package split

import "golang.org/x/exp/slices"

// recompute adds the tiles one after another, each with everything it needs.
func (e *emitter) recompute() {
	list := e.tileRows()
	out := e.values[e.out].tensor
	switch first := list[0]; {
	case len(list) > 1:
		rows, columns := make([]span, len(list)), make(map[int64][]span, len(list))
		for i, s := range list {
			rows[i], columns[s.y.from] = s.y, s.columns
		}
		e.joined(e.out, rows, out, func(y span) piece { return e.strip(y, columns[y.from], -1) })
	case len(first.columns) > 1:
		e.strip(first.y, first.columns, out)
	default:
		e.keepAll()
	}
}

// tileRows returns the tiles of the output.
func (e *emitter) tileRows() (list []tileRow) {
	if e.stage.Tiles > 1 {
		list = e.uneven(e.stage.Tiles)
	} else {
		rows, columns := e.grid()
		for _, y := range rows {
			list = append(list, tileRow{y, columns})
		}
	}
	rows := make([]span, len(list))
	for i := range list {
		rows[i] = list[i].y
	}
	for i, y := range leaning(rows, e.stage.Lean) {
		list[i].y = y
	}
	return list
}

// leaning moves the edges between strips; see [Stage.Lean]. Each strip keeps at least one row.
func leaning(strips []span, lean int) []span {
	n := len(strips)
	if n < 2 || lean == 0 {
		return strips
	}
	moved := slices.Clone(strips)
	for i := range n - 1 {
		by := int64(lean) * int64(n-1-i) / int64(n-1)
		edge := min(max(strips[i].to+by, moved[i].from+1), strips[n-1].to-int64(n-1-i))
		moved[i].to, moved[i+1].from = edge, edge
	}
	return moved
}

// grid returns the row and column ranges of the output's tiles.
func (e *emitter) grid() (rows, columns []span) {
	out := &e.values[e.out]
	rows, columns = pieces(out.h, e.stage.Rows), pieces(out.w, e.stage.Columns)
	tile := columns[e.stage.Columns/2]
	if e.stage.Rows > 1 {
		l := newLoad(out.h, e.stage.Rows, func(y span) int64 {
			// The last tile of a strip coexists with the other tiles of the strip.
			others := region{y, span{tile.len(), out.w}}
			return saturatingAdd(e.breadth(e.plans(region{y, tile})), e.bytes(e.out, others.area()))
		})
		l.start, l.more = e.otherBytes()
		rows = l.balanced(e.stage.Rows)
	}
	if e.stage.Columns > 1 {
		y := rows[len(rows)/2]
		l := newLoad(out.w, e.stage.Columns, func(x span) int64 { return e.breadth(e.plans(region{y, x})) })
		l.more = e.bytes(e.out, y.len())
		columns = l.balanced(e.stage.Columns)
	}
	return rows, columns
}

// strip adds the tiles of some rows of the output.
func (e *emitter) strip(y span, columns []span, into int) piece {
	return e.joined(e.out, columns, into, func(x span) piece { return e.tile(region{y, x}) })
}

// tile adds the operators of one tile of the output.
func (e *emitter) tile(r region) piece {
	plans := e.plans(r)
	e.clear()
	for i, n := range e.nodes {
		if p := &plans[i]; p.needed() {
			e.put(n.out, e.run(n, p))
		}
	}
	return piece{e.get(e.out, r), r}
}

// plans returns each node's plan for a tile of the output. Regions of a value read by several
// nodes are merged into their hull and computed once. The result is valid until the next call.
func (e *emitter) plans(r region) []plan {
	if e.plan == nil {
		e.need, e.plan, e.ins = make([]region, len(e.values)), make([]plan, len(e.nodes)), make([]region, 0, e.reads)
	}
	need, plans, ins := e.need, e.plan, e.ins
	clear(need)
	clear(plans)
	need[e.out] = r
	for i := len(e.nodes) - 1; i >= 0; i-- {
		n, p := e.nodes[i], &plans[i]
		if need[n.out].empty() {
			continue
		}
		*p = n.plan(need[n.out], ins[len(ins):])
		ins = ins[:len(ins)+len(p.ins)]
		for k, v := range n.read(p) {
			need[v] = need[v].hull(p.ins[k])
		}
	}
	return plans
}
