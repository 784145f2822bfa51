package parts

import "github.com/tflarena/tflarena/rewrite/split"

// Cost is the cost of a path or a part of it, in bytes and multiply-accumulates.
type Cost struct {
	// Peak is the peak of live bytes; Sure is the peak without in-place outputs: a plan with
	// shared memory does not always reach Peak.
	Peak, Sure int64
	// MACs are extra multiply-accumulates.
	MACs int64
	// Tail is the extra persistent memory, File the approximate growth of the file, and Setup
	// the extra memory needed temporarily while the runtime plans, in bytes.
	Tail, File, Setup int64
}

// Beats reports whether c is at least as good as d in everything except File and Setup.
func (c Cost) Beats(d Cost) bool {
	return c.Peak <= d.Peak && c.Sure <= d.Sure && c.MACs <= d.MACs && c.Tail <= d.Tail
}

// Plus returns the cost of two consecutive parts.
func (c Cost) Plus(d Cost) Cost {
	return Cost{
		Peak: max(c.Peak, d.Peak), Sure: max(c.Sure, d.Sure), MACs: c.MACs + d.MACs,
		Tail: c.Tail + d.Tail, File: c.File + d.File, Setup: c.Setup + d.Setup,
	}
}

// Own returns the cost of the unmodified operators between two boundaries, without extras.
func (r *Row) Own(from, to int) (c Cost) {
	c = r.start
	for i := from; i < to; i++ {
		c.Peak, c.Sure = max(c.Peak, r.breadth[i]), max(c.Sure, r.alone[i])
	}
	return c
}

// operatorFile is the approximate file size of an added operator, in bytes.
const operatorFile = 220

// cost returns the cost of a fragment that replaces operators first to last, both inclusive.
func (r *Row) cost(f *split.Fragment, first, last int) Cost {
	s := r.scene(f, first, last)
	peak, sure := s.peaks(first, last)
	return Cost{
		Peak: max(peak, r.start.Peak), Sure: max(sure, r.start.Sure), MACs: f.MACs - f.OwnMACs, Tail: s.tail(first, last),
		File: f.WeightBytes + operatorFile*int64(len(f.Operators)-(last-first+1)), Setup: r.setup(f),
	}
}
