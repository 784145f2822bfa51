package split

import "math"

// flow tracks the values while the output is computed strip by strip. Each row of a value is
// computed once. Between strips, it is known up to which row (exclusive) a value is computed,
// and from which row on it is still needed.
type flow struct {
	*emitter
	steps []strip
	// kept is the piece of each value that the next strip finds; its region is empty if nothing
	// is kept.
	kept []piece
}

// strip holds the work of all nodes for one strip of the output.
type strip struct {
	// plans holds the plans of the nodes that compute new rows.
	plans []plan
	// made are the new rows of each value.
	made []span
	// firstRead is the first row read of each value, [unread] if none.
	firstRead []int64
	// keep are the rows of each value that later strips read.
	keep []span
}

// unread is a sentinel after the last row of any value.
const unread = math.MaxInt64

// keep adds the strips one after another, each computing the rows that it is the first to need.
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

// strips returns the row ranges of the output's strips.
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
	l.start, l.more = f.otherBytes()
	return leaning(l.balanced(f.stage.Rows), f.stage.Lean)
}

// plan determines what each strip computes and keeps.
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
			later[v] = min(later[v], s.firstRead[v])
		}
	}
}

// unreadOf returns a slice filled with [unread].
func unreadOf(values int) []int64 {
	rows := make([]int64, values)
	for v := range rows {
		rows[v] = unread
	}
	return rows
}

// advance plans one strip and updates done, the end of the computed rows of each value.
func (f *flow) advance(done []int64, y span) strip {
	s := strip{plans: make([]plan, len(f.nodes)), made: make([]span, len(f.values)), firstRead: unreadOf(len(f.values))}
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
			case f.values[v].isPadded:
				s.made[v] = s.made[v].hull(rows)
			case f.values[v].inside:
				s.read(v, rows, done[v])
			}
		}
	}
	return s
}

// read records a read of rows of a value; rows before done were computed by earlier strips.
func (s *strip) read(v int, rows span, done int64) {
	made := s.made[v]
	if made.empty() {
		made = span{done, done}
	}
	s.made[v] = span{made.from, max(made.to, rows.to)}
	s.firstRead[v] = min(s.firstRead[v], rows.from)
}

// run adds the operators of a strip and returns its output.
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

// exactly removes everything except the new rows.
func (f *flow) exactly(n *node, p piece, rows span) piece {
	r := region{rows, f.values[n.out].whole().x}
	if p.region == r {
		return p
	}
	return piece{f.slice(n.out, p, r), r}
}

// lastReaders returns, for each node, the values that it is the last to touch in a strip. Their
// last rows are saved then.
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
