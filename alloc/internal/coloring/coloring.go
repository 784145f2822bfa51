package coloring

import "context"

// An Interval is alive at the positions from First to Last, both inclusive, and takes Size bytes, at
// least one.
type Interval struct {
	First, Last int
	Size        int64
}

// Options limits a search.
type Options struct {
	// MaxNodes is the number of nodes after which the search gives up; 0 means no limit.
	MaxNodes int64
	// Better, when set, is called with the total in bytes of each better solution,
	// and with the bound in bytes at that time.
	Better func(total, bound int64)

	without rules
	// patience, when not 0, replaces the default. Tests make it small.
	patience int64
}

// rules switch off optional speed-ups of the search, for tests.
type rules struct {
	leaders, twins, drops, parts, cuts, windows, descent bool
}

// A Result is the result of a search.
type Result struct {
	// Objects are the intervals' objects, Sizes the objects' sizes in bytes. Both are nil if no
	// solution is better than the given one.
	Objects []int
	Sizes   []int64
	// Total is the smallest known total, and Bound the best lower bound, in bytes. They are equal when
	// the search is complete.
	Total, Bound int64
	// Interrupted reports that the context ended before the search was complete.
	Interrupted bool
	// Nodes counts the steps of the search, Vectors the visited vectors of object sizes, Cuts the
	// vectors without room that exclude others.
	Nodes, Vectors, Cuts int64
}

// Optimal reports whether the total is proven.
func (r *Result) Optimal() bool { return r.Total == r.Bound }

// Minimize searches for a solution with a smaller total than known, the object sizes in bytes of a
// known solution; nil means an object for each interval. It stops when the smallest total is proven,
// when ctx ends and at the limits of opt. The result is deterministic unless ctx ends.
func Minimize(ctx context.Context, intervals []Interval, known []int64, opt Options) *Result {
	s := newSearch(ctx, intervals, known, opt)
	if s.better() {
		s.run()
	}
	return s.result()
}
