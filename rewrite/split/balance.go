package split

// maxTried limits how many pieces are planned while their heights and widths are chosen,
// counted by their nodes.
const maxTried = 1 << 11

// balanced cuts n rows or columns into pieces. Those at both edges have a neighbour on one
// side only, but may have to be padded: they are higher or lower than the others, so that
// the most bytes that any piece takes are fewest.
func (e *emitter) balanced(n int64, count int, bytes func(span) int64) []span {
	best := pieces(n, count)
	if count < 3 {
		return best
	}
	least := largest(best, bytes)
	even := n / int64(count)
	tries := maxTried / int64(2*min(count, 3*looked)*len(e.nodes))
	for edge := max(1, even-tries); edge <= even+tries; edge++ {
		inner := n - 2*edge
		if inner < int64(count)-2 {
			break
		}
		spans := []span{{0, edge}}
		for _, s := range pieces(inner, count-2) {
			spans = append(spans, s.shift(edge))
		}
		spans = append(spans, span{n - edge, n})
		if b := largest(spans, bytes); b < least {
			best, least = spans, b
		}
	}
	return best
}

// looked is how many pieces from either edge are looked at, and as many in the middle:
// those in between are like them.
const looked = 2

// largest returns the most bytes that any piece takes, as far as it is looked at.
func largest(spans []span, bytes func(span) int64) int64 {
	most := int64(0)
	for i, s := range spans {
		if near := min(i, len(spans)-1-i, max(i-len(spans)/2, len(spans)/2-i)); near < looked {
			most = max(most, bytes(s))
		}
	}
	return most
}

// breadth returns the most bytes that a node takes in and gives out at once, where the
// nodes do as planned.
func (e *emitter) breadth(plans []*plan) int64 {
	most := int64(0)
	for i, n := range e.nodes {
		p := plans[i]
		if p == nil || p.copied {
			continue
		}
		sum := e.bytes(n.out, p.out.area())
		for k, v := range n.read(*p) {
			sum = plus(sum, e.bytes(v, p.ins[k].area()))
		}
		most = max(most, sum)
	}
	return most
}

// strips cuts rows into strips of which the first may be lower: it has to make what the
// others find kept.
func (f *flow) strips(rows int64, count int) []span {
	best := pieces(rows, count)
	if count < 2 {
		return best
	}
	least, even := f.largest(best), best[0].len()
	tries := maxTried / int64(min(count, 2*looked)*len(f.nodes))
	for first := even - 1; first >= 1 && first >= even-tries; first-- {
		spans := []span{{0, first}}
		for _, s := range pieces(rows-first, count-1) {
			spans = append(spans, s.shift(first))
		}
		if b := f.largest(spans); b < least {
			best, least = spans, b
		}
	}
	return best
}

// largest returns the most bytes that any strip takes, as far as it is looked at: those
// behind the first few are like them.
func (f *flow) largest(spans []span) int64 {
	most, done := int64(0), map[int]int64{}
	for _, y := range spans[:min(len(spans), 2*looked)] {
		s := f.advance(done, y)
		most = max(most, f.breadth(s.plans))
	}
	return most
}
