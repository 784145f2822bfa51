package order

import (
	"context"

	"github.com/tflarena/tflarena/lifetime"
)

// Options say how memory is counted and how far to search. The zero value counts as
// [lifetime.Graph.Positions] does without keeping anything.
type Options struct {
	// Scopes counts as [lifetime.Graph.Scopes] does for a graph of this subgraph
	// alone; Keep then has no meaning. Otherwise Keep says what lives to the end.
	Scopes bool
	Keep   lifetime.Keep
	// Extra is nil, or has for each place in Subgraph.Operators the bytes that the operator
	// needs besides its tensors while it runs, such as the memory of subgraphs that it
	// calls.
	Extra []int64
	// States bounds the search: it is about how many states (sets of operators that have
	// run) the search may find in all. Zero means [DefaultStates]. With a negative number
	// only the given order is looked at.
	States int
	// Without switches rules off, for tests.
	Without Without
}

// DefaultStates is the bound on states where [Options.States] is zero. A search that uses
// it up takes about a second.
const DefaultStates = 100_000

// Without switches parts of the search off, for tests. Each part only saves work: the least
// peak is the same without it.
type Without struct {
	// Cuts searches the operators all at once.
	Cuts bool
	// Lazy lets operators that free nothing run at any time.
	Lazy bool
	// Forced makes no move before its turn.
	Forced bool
	// Regions makes no forced move that does not wait for the one before.
	Regions bool
	// Flows takes the bound that sums alone give.
	Flows bool
	// Back never searches backwards in time.
	Back bool
	// Beam leaves out the searches that prove nothing.
	Beam bool
}

// A Result is an order and what is known about it. Sizes are in bytes; they count what
// [lifetime.MaxBreadth] counts in the usage of a graph of this subgraph alone, and
// Options.Extra in addition.
type Result struct {
	// Order[i] is the place in Subgraph.Operators of the operator that runs i-th. It is the
	// given order where no better one was found.
	Order []int
	// Peak is the largest breadth of Order, and Own that of the given order. No valid order
	// has a peak below Bound.
	Peak, Own, Bound int64
	// Proven says that Peak is Bound: no valid order has a lower peak.
	Proven bool
	// States is the number of states that the search found.
	States int64
	// Interrupted says that the context ended the search.
	Interrupted bool

	problem *problem
	outside int64
}

// Least looks for the valid order of s that has the least peak. A valid order runs every
// operator after those that make what it reads, and after those that
// [lifetime.Subgraph.Before] puts before it. Operators keep their given order if they touch
// the same variable tensor or a tensor that is made more than once, or if both have an
// effect on the same state and one of them writes it ([lifetime.Operator.Effects]).
//
// Least returns an error when the given order is not valid itself (see [Check]; [Sorted]
// makes one that is), and when sizes are negative or sum up to more than
// [lifetime.MaxTotal]. When ctx ends it returns what it has, and no error. For the same
// input the result is the same everywhere, unless ctx ends.
func Least(ctx context.Context, s *lifetime.Subgraph, o Options) (*Result, error) {
	if err := Check(s); err != nil {
		return nil, err
	}
	p, err := newProblem(s, o)
	if err != nil {
		return nil, err
	}
	order := p.given()
	r := &Result{problem: p, outside: p.outside(o.Scopes)}
	r.Own = max(r.outside, p.peak(order))
	l := newLeast(ctx, p, o)
	r.Bound = l.improve(order, r.outside)
	r.Peak = max(r.outside, p.peak(order))
	r.Proven = r.Peak <= r.Bound
	r.States, r.Interrupted = l.meter.states, l.meter.interrupted
	for _, v := range order {
		r.Order = append(r.Order, int(v))
	}
	return r, nil
}
