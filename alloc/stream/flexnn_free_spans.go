package stream

import "golang.org/x/exp/slices"

// A span is the addresses [low, high), in bytes.
type span struct{ low, high int64 }

func (s span) size() int64 { return s.high - s.low }

// freeSpans has a list of free spans for each step. The order of a list breaks ties; new spans go to
// its end.
type freeSpans struct {
	size    int64
	free    [][]span
	taken   []block
	buffers [2][]span // buffers of longestFree
}

// A block is addresses taken in the steps first to last, both inclusive.
type block struct {
	first, last int
	at          span
}

func newFreeSpans(steps int, size int64) *freeSpans {
	p := &freeSpans{size: size, free: make([][]span, steps)}
	for i := range p.free {
		p.free[i] = []span{{0, size}}
	}
	return p
}

// keepOnly frees all blocks but the first n.
func (p *freeSpans) keepOnly(n int) {
	blocks := p.taken[:n]
	p.taken = nil
	for i := range p.free {
		p.free[i] = append(p.free[i][:0], span{0, p.size})
	}
	for _, b := range blocks {
		p.take(b.first, b.last, b.at)
	}
}

// isFree reports whether a span is free in the steps first to last, both inclusive.
func (p *freeSpans) isFree(first, last int, at span) bool {
	for i := first; i <= last; i++ {
		if at.size() > 0 && containing(p.free[i], at) < 0 {
			return false
		}
	}
	return true
}

// take takes a free span in the steps first to last, both inclusive.
func (p *freeSpans) take(first, last int, at span) {
	if at.size() == 0 {
		return
	}
	p.taken = append(p.taken, block{first, last, at})
	for i := first; i <= last; i++ {
		k := containing(p.free[i], at)
		whole := p.free[i][k]
		rest := append(p.free[i][:k], p.free[i][k+1:]...)
		if whole.low < at.low {
			rest = append(rest, span{whole.low, at.low})
		}
		if at.high < whole.high {
			rest = append(rest, span{at.high, whole.high})
		}
		p.free[i] = rest
	}
}

// containing returns the index of the span that contains at, or -1.
func containing(spans []span, at span) int {
	return slices.IndexFunc(spans, func(s span) bool { return s.low <= at.low && at.high <= s.high })
}

// longestFree finds the longest run of steps that ends with last, begins no earlier than earliest, and
// has size contiguous bytes free throughout. It returns the first step of the run and all maximal
// free pieces of at least size bytes; none if even the last step has no room. The pieces are valid
// until the next call.
func (p *freeSpans) longestFree(earliest, last int, size int64) (first int, pieces []span) {
	spare := &p.buffers
	spare[0] = intersections(spare[0][:0], []span{{0, p.size}}, p.free[last], size)
	first = last
	for len(spare[0]) > 0 && first > earliest {
		spare[1] = intersections(spare[1][:0], spare[0], p.free[first-1], size)
		if len(spare[1]) == 0 {
			break
		}
		spare[0], spare[1] = spare[1], spare[0]
		first--
	}
	return first, spare[0]
}

// intersections appends the intersections of two lists of spans that have at least size bytes.
func intersections(common, a, b []span, size int64) []span {
	for _, t := range b {
		if t.size() < size {
			continue
		}
		for _, s := range a {
			if both := (span{max(s.low, t.low), min(s.high, t.high)}); both.size() >= size {
				common = append(common, both)
			}
		}
	}
	return common
}

// choose returns the piece in the earliest span of the list of the last step. The list of the step
// before breaks ties, and so on.
func (p *freeSpans) choose(first, last int, pieces []span) span {
	for i := last; i >= first && len(pieces) > 1; i-- {
		best := len(p.free[i])
		var kept []span
		for _, s := range pieces {
			switch k := containing(p.free[i], s); {
			case k < best:
				best, kept = k, append(kept[:0:0], s)
			case k == best:
				kept = append(kept, s)
			}
		}
		pieces = kept
	}
	return pieces[0]
}
