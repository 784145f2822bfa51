package split

import "math"

// A flow is what happens to the values while strip after strip of the output is made.
// Each row of a value is made once. From strip to strip it is known up to which row
// (exclusive) there is a value, and from which one on the rows are needed yet.
type flow struct {
	*emitter
	steps []strip
	// kept are the pieces of each value that the next strip finds, with an empty region where
	// there is none.
	kept []piece
}

// A strip is what the nodes do for one strip of the output.
type strip struct {
	// plans are those of nodes that make new rows.
	plans []plan
	// made are the rows of each value that are new.
	made []span
	// need is the first row of each value that is read, [unread] where none is.
	need []int64
	// keep are the rows of each value that later strips read.
	keep []span
}

// unread stands behind the last row of any value.
const unread = math.MaxInt64

// keep adds the strips one after another, each with the rows it is the first to need.
func (e *emitter) keep() {
	f := &flow{emitter: e, kept: make([]piece, len(e.values))}
	spans := f.strips()
	f.plan(spans)
	next := 0
	e.joined(e.out, spans, e.values[e.out].tensor, func(span) piece {
		next++
		return f.run(&f.steps[next-1])
	})
}

// strips returns where the output is cut.
func (f *flow) strips() []span {
	rows := f.values[f.out].h
	if f.stage.Rows < 2 {
		return pieces(rows, 1)
	}
	l := newLoad(rows, f.stage.Rows, func(y span) int64 {
		done := make([]int64, len(f.values))
		if y.from > 0 {
			f.advance(done, span{0, y.from})
		}
		return f.breadth(f.advance(done, y).plans)
	})
	l.start, l.more = f.beside()
	return l.balanced(f.stage.Rows)
}

// plan finds out what each strip makes, and what it keeps.
func (f *flow) plan(spans []span) {
	done, later := make([]int64, len(f.values)), unreadOf(len(f.values))
	for _, y := range spans {
		f.steps = append(f.steps, f.advance(done, y))
	}
	for i := len(f.steps) - 1; i >= 0; i-- {
		s := &f.steps[i]
		s.keep = make([]span, len(f.values))
		for v := range f.values {
			s.keep[v] = span{later[v], done[v]}
			if rows := s.made[v]; !rows.empty() {
				done[v] = rows.from
			}
			later[v] = min(later[v], s.need[v])
		}
	}
}

// unreadOf returns that nothing is read of so many values.
func unreadOf(values int) []int64 {
	rows := make([]int64, values)
	for v := range rows {
		rows[v] = unread
	}
	return rows
}

// advance plans one strip, and moves the ends of the rows that are done.
func (f *flow) advance(done []int64, y span) strip {
	s := strip{plans: make([]plan, len(f.nodes)), made: make([]span, len(f.values)), need: unreadOf(len(f.values))}
	s.made[f.out] = y
	ins := make([]region, 0, f.reads)
	for i := len(f.nodes) - 1; i >= 0; i-- {
		n, p := f.nodes[i], &s.plans[i]
		rows := s.made[n.out]
		if rows.empty() {
			continue
		}
		done[n.out] = rows.to
		*p = n.geometry.plan(region{rows, f.values[n.out].whole().x}, ins[len(ins):])
		ins = ins[:len(ins)+len(p.ins)]
		for k, v := range n.read(p) {
			switch rows := p.ins[k].y; {
			case f.values[v].fresh:
				s.made[v] = s.made[v].hull(rows)
			case f.values[v].inside:
				s.read(v, rows, done[v])
			}
		}
	}
	return s
}

// read notes that rows of a value are read, of which those before done were made by the
// strips before this one.
func (s *strip) read(v int, rows span, done int64) {
	made := s.made[v]
	if made.empty() {
		made = span{done, done}
	}
	s.made[v] = span{made.from, max(made.to, rows.to)}
	s.need[v] = min(s.need[v], rows.from)
}

// run adds the operators of a strip, and returns the strip.
func (f *flow) run(s *strip) piece {
	f.clear()
	for v, p := range f.kept {
		if !p.empty() {
			f.put(v, p)
		}
	}
	clear(f.kept)
	last := f.lastReaders(s)
	for i, n := range f.nodes {
		if p := &s.plans[i]; p.needed() {
			f.put(n.out, f.exactly(n, f.emitter.run(n, p), s.made[n.out]))
		}
		for _, v := range last[i] {
			f.tail(v, s)
		}
	}
	rows := region{s.made[f.out], f.values[f.out].whole().x}
	return piece{f.get(f.out, rows), rows}
}

// exactly cuts off what is more than the new rows.
func (f *flow) exactly(n *node, p piece, rows span) piece {
	r := region{rows, f.values[n.out].whole().x}
	if p.region == r {
		return p
	}
	return piece{f.slice(n.out, p, r), r}
}

// lastReaders returns the values that each node is the last one to touch in a strip:
// then their last rows are put by.
func (f *flow) lastReaders(s *strip) [][]int {
	last := make([][]int, len(f.nodes))
	seen := make([]bool, len(f.values))
	for i := len(f.nodes) - 1; i >= 0; i-- {
		n := f.nodes[i]
		touched := []int{n.out}
		if p := &s.plans[i]; p.needed() {
			touched = append(touched, n.read(p)...)
		}
		for _, v := range touched {
			if !seen[v] {
				seen[v] = true
				last[i] = append(last[i], v)
			}
		}
	}
	return last
}

// tail keeps the rows of a value that later strips need.
func (f *flow) tail(v int, s *strip) {
	r := region{s.keep[v], f.values[v].whole().x}
	if !r.empty() {
		f.kept[v] = piece{f.rest(v, r), r}
	}
}
