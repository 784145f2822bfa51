package disjunctive

import (
	"context"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/lifetime"
)

// MaxRecords is the largest number of records, not counting those of size zero, that
// the search takes on, and maxPieces the largest number of their pieces. The matrix
// grows with the square of the one, the pairs with the product of both.
const (
	MaxRecords = 128
	maxPieces  = 4096
)

// A Result is what [Fit] found.
type Result struct {
	// Answer is Unknown also where there are too many records or gaps.
	Answer problem.Answer
	// Offsets are in bytes, one for each record, where the answer is Fits.
	Offsets []int64
	// Nodes is the number of search nodes visited.
	Nodes int64
}

// Fit says whether a plan for records ends at capacity or below, in bytes. The
// search visits maxNodes nodes at most; zero means any number. The records are ones
// that [lifetime.CheckRecords] accepts. Those of size zero go to offset 0, or where
// they are pinned.
func Fit(ctx context.Context, records []lifetime.Record, capacity, maxNodes int64) Result {
	return Problem{Records: records}.Fit(ctx, capacity, maxNodes)
}

// Fit is [Fit] for what the problem forbids.
func (p Problem) Fit(ctx context.Context, capacity, maxNodes int64) Result {
	in := newInstance(p)
	if in == nil {
		return Result{}
	}
	return in.fit(&meter{ctx: ctx, maxNodes: maxNodes}, capacity)
}

// A Best is what [Minimise] found.
type Best struct {
	// Offsets are in bytes; nil where no plan below the given upper end was found.
	Offsets []int64
	// Total is where the plan ends, in bytes; the given upper end where there is none.
	Total int64
	// Proven says that no plan ends below Total.
	Proven bool
	// Nodes is the number of search nodes visited.
	Nodes int64
}

// Minimise looks for the plan with the smallest total of at least lower and below
// upper, in bytes: it fits the records again and again into less than the best plan
// so far. No plan may end below lower; the caller has one that ends at upper. The
// search visits maxNodes nodes in all; zero means any number. better, if not nil, is
// called with each better plan.
func Minimise(ctx context.Context, records []lifetime.Record, lower, upper, maxNodes int64, better func(offsets []int64, total int64)) Best {
	return Problem{Records: records}.Minimise(ctx, lower, upper, maxNodes, better)
}

// Minimise is [Minimise] for what the problem forbids.
func (p Problem) Minimise(ctx context.Context, lower, upper, maxNodes int64, better func(offsets []int64, total int64)) Best {
	best := Best{Total: upper}
	in := newInstance(p)
	if in == nil {
		best.Proven = upper <= lower
		return best
	}
	m := &meter{ctx: ctx, maxNodes: maxNodes}
	for best.Total > lower {
		result := in.fit(m, best.Total-1)
		best.Nodes = m.nodes
		if result.Answer != problem.Fits {
			best.Proven = result.Answer == problem.Misfit
			return best
		}
		best.Offsets, best.Total = result.Offsets, totalOf(p.Records, result.Offsets)
		if better != nil {
			better(best.Offsets, best.Total)
		}
	}
	best.Proven = true
	return best
}

func totalOf(records []lifetime.Record, offsets []int64) int64 {
	var total int64
	for i, r := range records {
		if r.Size > 0 {
			total = max(total, offsets[i]+r.Size)
		}
	}
	return total
}
