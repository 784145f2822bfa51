package parts

import "github.com/tflarena/tflarena/rewrite/split"

// A Cost is what a part of a path, or all of it, comes to, in bytes and multiply-accumulates.
type Cost struct {
	// Peak is the most bytes alive, and Sure what they are without takeovers: a plan in
	// which tensors share memory does not always come down to the peak.
	Peak, Sure int64
	// MACs are extra multiply-accumulates.
	MACs int64
	// Tail are extra persistent bytes, and File those that the file grows by, about. Setup
	// is what the runtime needs besides while it plans, in bytes.
	Tail, File, Setup int64
}

// Beats reports whether c is as good as d in all but the file.
func (c Cost) Beats(d Cost) bool {
	return c.Peak <= d.Peak && c.Sure <= d.Sure && c.MACs <= d.MACs && c.Tail <= d.Tail
}

// Plus returns the cost of one part behind another.
func (c Cost) Plus(d Cost) Cost {
	return Cost{
		Peak: max(c.Peak, d.Peak), Sure: max(c.Sure, d.Sure), MACs: c.MACs + d.MACs,
		Tail: c.Tail + d.Tail, File: c.File + d.File, Setup: c.Setup + d.Setup,
	}
}

// own returns the cost of the operators between two boundaries as they are: what they need,
// and nothing extra.
func (r *Row) own(from, to int) (c Cost) {
	for i := from; i < to; i++ {
		c.Peak, c.Sure = max(c.Peak, r.breadth[i]), max(c.Sure, r.alone[i])
	}
	return c
}

// operatorFile is about how many bytes of the file an added operator takes.
const operatorFile = 220

// cost returns the cost of a fragment in the place of the operators from first to last, both
// inclusive.
func (r *Row) cost(f *split.Fragment, first, last int) Cost {
	peak, sure := r.peaks(f, first, last)
	return Cost{
		Peak: peak, Sure: sure, MACs: f.MACs - f.OwnMACs, Tail: r.tail(f, first, last),
		File: f.WeightBytes + operatorFile*int64(len(f.Operators)-(last-first+1)), Setup: r.setup(f),
	}
}
