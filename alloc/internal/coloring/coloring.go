package coloring

import "context"

// An Interval is alive at the positions from First to Last, both inclusive, and needs
// Size bytes, at least one.
type Interval struct {
	First, Last int
	Size        int64
}

// Options limits a search.
type Options struct {
	// MaxNodes is the number of nodes after which the search gives up; 0 means any.
	MaxNodes int64
	// Better, when set, is called with the total in bytes of each better solution,
	// and with the bound in bytes at that time.
	Better func(total, bound int64)

	without rules
	// patience, when not 0, takes the place of the usual one. Tests make it small.
	patience int64
}

// rules are the parts of the search that only make it faster, each of which tests
// switch off.
type rules struct {
	leaders, twins, drops, parts, cuts, windows, descent bool
}

// A Result is what a search knows when it ends.
type Result struct {
	// Objects holds the object of each interval, Sizes the objects' sizes in bytes.
	// Both are nil when no solution is better than the one that the search was given.
	Objects []int
	Sizes   []int64
	// Total is the smallest total in bytes that is known, Bound the largest number of
	// bytes that no solution can go below. They are equal when the search is complete.
	Total, Bound int64
	// Interrupted says that the context ended before the search was complete.
	Interrupted bool
	// Nodes counts the steps of the search, Vectors the vectors of object sizes that
	// were looked at, Cuts the vectors shown to have no room that rule out others.
	Nodes, Vectors, Cuts int64
}

// Optimal reports whether the total is proven.
func (r *Result) Optimal() bool { return r.Total == r.Bound }

// Minimize looks for a solution of a smaller total than the known solution has, whose
// object sizes in bytes it is given; nil stands for an object for each interval. It
// stops when the smallest total is proven, when ctx ends and at the limits of opt,
// and then returns what it knows. The same input has the same result, unless ctx
// ends.
func Minimize(ctx context.Context, intervals []Interval, known []int64, opt Options) *Result {
	s := newSearch(ctx, intervals, known, opt)
	if s.better() {
		s.run()
	}
	return s.result()
}
