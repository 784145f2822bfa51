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
	// Extra is nil, or has for each place in Subgraph.Operators the bytes that the
	// operator needs while it runs besides its tensors, such as those of subgraphs
	// it calls.
	Extra []int64
	// States bounds the search: about how many states (sets of operators that have
	// run) it may find, in all. Zero means [DefaultStates], negative none: then
	// only the order given is looked at.
	States int
	// Without switches rules off, for tests.
	Without Without
}

// DefaultStates is the bound on states where none is given. It takes about a second
// where it is used up.
const DefaultStates = 100_000

// Without switches rules of the search off. Each only saves work: the least peak is
// the same without.
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

// A Result is an order with what is known of it. Sizes are in bytes and count what
// [lifetime.MaxBreadth] counts in the usage of a graph of the subgraph alone, and
// Options.Extra besides.
type Result struct {
	// Order has at i the place in Subgraph.Operators of the operator that runs i-th.
	// It is the order given where no better one was found.
	Order []int
	// Peak is the largest breadth of Order, Own that of the order given. No valid
	// order has one below Bound.
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

// Least looks for the valid order of s with the least peak. A valid order keeps every
// operator behind those that make what it reads and those that [lifetime.Subgraph.Before]
// has before it, and the operators with an effect, and those that touch the same state or
// a tensor made more than once, in the order given.
//
// It returns an error when the order given is not valid itself ([Check]; [Sorted]
// makes one that is), or when sizes are negative or sum up to more than
// [lifetime.MaxTotal]. When ctx ends it returns what it has, and no error. For the
// same input the result is the same everywhere, unless ctx ends.
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
