package order

import (
	"context"

	"github.com/tflarena/tflarena/lifetime"
)

// Options control how memory is counted and how far to search. The zero value counts as
// [lifetime.Graph.Positions] does without keeping anything.
type Options struct {
	// Scopes counts as [lifetime.Graph.Scopes] does for a graph of this subgraph alone, and
	// ignores Keep. Otherwise, Keep selects the tensors that live to the end.
	Scopes bool
	Keep   lifetime.Keep
	// Extra is nil, or holds, for each index into Subgraph.Operators, the bytes that the
	// operator needs besides its tensors while it runs, such as the memory of subgraphs that it
	// calls.
	Extra []int64
	// States bounds the search: the approximate number of states (sets of operators that have
	// run) to find in all. Zero means [DefaultStates]. A negative number only evaluates the
	// given order.
	States int
	// Unproven omits flow bounds, and with them most proofs. States does not limit their work.
	Unproven bool
	// Without disables parts of the search, for tests.
	Without Without
}

// DefaultStates is the state limit if [Options.States] is zero. A search that uses it up takes
// about a second.
const DefaultStates = 100_000

// Without disables parts of the search, for tests. Each part only saves work and does not
// change the optimum.
type Without struct {
	// Cuts searches all operators at once.
	Cuts bool
	// Lazy lets operators that free nothing run at any time.
	Lazy bool
	// Forced makes no forced moves.
	Forced bool
	// Regions makes only forced moves that depend on the one before.
	Regions bool
	// Back never searches backwards in time.
	Back bool
	// Beam omits the searches that prove nothing.
	Beam bool
}

// A Result is an order and its bounds. Sizes are in bytes; they count as [lifetime.MaxBreadth]
// does in the usage of a graph of this subgraph alone, plus Options.Extra and less what is shared
// ([lifetime.Subgraph.Shares]).
type Result struct {
	// Order[i] is the index into Subgraph.Operators of the operator that runs i-th. It is the
	// given order if no better one was found.
	Order []int
	// Peak is the largest breadth of Order, and Own of the given order. No valid order has a
	// peak below Bound.
	Peak, Own, Bound int64
	// Proven reports that Peak equals Bound: no valid order has a lower peak.
	Proven bool
	// States is the number of states that the search found.
	States int64
	// Interrupted reports that the context ended the search.
	Interrupted bool

	problem *problem
	outside int64
}

// Least searches for the valid order of s with the lowest peak. A valid order runs every
// operator after the producers of its inputs, and obeys [lifetime.Subgraph.Before]. Operators
// keep their given order if they touch the same variable tensor or a tensor that is made more
// than once, or if both have an effect on the same state and one of them writes it
// ([lifetime.Operator.Effects]).
//
// Least returns an error if the given order is not valid itself (see [Check]; [Sorted] returns
// a valid one), or if sizes are negative or sum up to more than [lifetime.MaxTotal]. If ctx
// ends, it returns the best result so far, and no error. The result is deterministic unless ctx
// ends.
func Least(ctx context.Context, s *lifetime.Subgraph, o Options) (*Result, error) {
	if err := Check(s); err != nil {
		return nil, err
	}
	p, err := newProblem(s, o)
	if err != nil {
		return nil, err
	}
	order := p.givenOrder()
	r := &Result{problem: p, outside: p.outside(o.Scopes)}
	r.Own = max(r.outside, p.peak(order))
	l := newSegmentSearch(ctx, p, o)
	r.Bound = l.improve(order, r.outside)
	r.Peak = max(r.outside, p.peak(order))
	r.Proven = r.Peak <= r.Bound
	r.States, r.Interrupted = l.meter.states, l.meter.interrupted
	for _, v := range order {
		r.Order = append(r.Order, int(v))
	}
	return r, nil
}
