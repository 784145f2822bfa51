package split

// A flow is what happens to the values while strip after strip of the output is made.
// Each row of a value is made once. From strip to strip it is known up to which row
// (exclusive) there is a value, and from which one on the rows are needed yet.
type flow struct {
	*emitter
	steps []strip
	// kept are the pieces of values that the next strip finds.
	kept map[int]piece
}

// A strip is what the nodes do for one strip of the output.
type strip struct {
	// plans are nil for nodes that make no new rows.
	plans []*plan
	// made are the rows of each value that are new.
	made map[int]span
	// need is the first row of each value that is read.
	need map[int]int64
	// keep are the rows of each value that later strips read.
	keep map[int]span
}

// keep adds the strips one after another, each with the rows it is the first to need.
func (e *emitter) keep() {
	f := &flow{emitter: e, kept: map[int]piece{}}
	spans := f.strips()
	f.plan(spans)
	next := 0
	e.joined(e.out, spans, e.out, func(span) piece {
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
		done := map[int]int64{}
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
	done := map[int]int64{}
	for _, y := range spans {
		f.steps = append(f.steps, f.advance(done, y))
	}
	later := map[int]int64{}
	for i := len(f.steps) - 1; i >= 0; i-- {
		s := &f.steps[i]
		for v, from := range later {
			if s.keep[v] = (span{from, done[v]}); s.keep[v].empty() {
				delete(s.keep, v)
			}
		}
		for v, rows := range s.made {
			done[v] = rows.from
		}
		for v, from := range s.need {
			if known, ok := later[v]; !ok || from < known {
				later[v] = from
			}
		}
	}
}

// advance plans one strip, and moves the ends of the rows that are done.
func (f *flow) advance(done map[int]int64, y span) strip {
	s := strip{
		plans: make([]*plan, len(f.nodes)), made: map[int]span{f.out: y},
		need: map[int]int64{}, keep: map[int]span{},
	}
	all := make([]plan, len(f.nodes))
	for i := len(f.nodes) - 1; i >= 0; i-- {
		n := f.nodes[i]
		rows := s.made[n.out]
		if rows.empty() {
			continue
		}
		done[n.out] = rows.to
		p := &all[i]
		*p = n.geometry.plan(region{rows, f.values[n.out].whole().x})
		s.plans[i] = p
		for k, v := range n.read(*p) {
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
	made, ok := s.made[v]
	if !ok {
		made = span{done, done}
	}
	s.made[v] = span{made.from, max(made.to, rows.to)}
	if need, ok := s.need[v]; !ok || rows.from < need {
		s.need[v] = rows.from
	}
}

// run adds the operators of a strip, and returns the strip.
func (f *flow) run(s *strip) piece {
	have := newStore(f.emitter)
	for v, p := range f.kept {
		have.put(v, p)
	}
	f.kept = map[int]piece{}
	last := f.lastReaders(s)
	for i, n := range f.nodes {
		if p := s.plans[i]; p != nil {
			have.put(n.out, f.exactly(n, have.run(n, *p), s.made[n.out]))
		}
		for _, v := range last[i] {
			f.tail(have, v, s)
		}
	}
	rows := region{s.made[f.out], f.values[f.out].whole().x}
	return piece{have.get(f.out, rows), rows}
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
	seen := map[int]bool{}
	for i := len(f.nodes) - 1; i >= 0; i-- {
		n := f.nodes[i]
		touched := []int{n.out}
		if p := s.plans[i]; p != nil {
			touched = append(touched, n.read(*p)...)
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
func (f *flow) tail(have *store, v int, s *strip) {
	rows, ok := s.keep[v]
	if !ok {
		return
	}
	r := region{rows, f.values[v].whole().x}
	f.kept[v] = piece{have.rest(v, r), r}
}
