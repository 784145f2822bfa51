package disjunctive

import (
	"context"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/lifetime"
)

// MaxRecords is the largest number of non-empty records that the search accepts, and maxPieces the
// largest number of their pieces. The matrix grows with the square of the former, the pairs with the
// product of both.
const (
	MaxRecords = 128
	maxPieces  = 4096
)

// A Result is the result of [Fit].
type Result struct {
	// Answer is Unknown for too many records or gaps.
	Answer problem.Answer
	// Offsets are in bytes, one for each record, if the answer is Fits.
	Offsets []int64
	// Nodes is the number of search nodes visited.
	Nodes int64
}

// Fit decides whether records fit into capacity bytes. The search visits at most maxNodes nodes; zero
// means no limit. Records must be accepted by [lifetime.CheckRecords]. Empty ones go to offset 0, or
// where they are pinned.
func Fit(ctx context.Context, records []lifetime.Record, capacity, maxNodes int64) Result {
	return Problem{Records: records}.Fit(ctx, capacity, maxNodes)
}

// Fit is [Fit] with the forbidden differences of the problem.
func (p Problem) Fit(ctx context.Context, capacity, maxNodes int64) Result {
	in := newInstance(p)
	if in == nil {
		return Result{}
	}
	return in.fit(&meter{ctx: ctx, maxNodes: maxNodes}, capacity)
}

// A Best is the result of [Minimise].
type Best struct {
	// Offsets are in bytes; nil if no plan below the given upper end was found.
	Offsets []int64
	// Total is the end of the plan in bytes, or the given upper end.
	Total int64
	// Proven reports that no plan ends below Total.
	Proven bool
	// Nodes is the number of search nodes visited.
	Nodes int64
}

// Minimise searches for the plan with the smallest total of at least lower and below upper, in bytes:
// it repeatedly fits the records into less than the best plan. lower is a lower bound; the caller has a
// plan that ends at upper. The search visits at most maxNodes nodes in all; zero means no limit.
// better, if not nil, is called with each better plan.
func Minimise(ctx context.Context, records []lifetime.Record, lower, upper, maxNodes int64, better func(offsets []int64, total int64)) Best {
	return Problem{Records: records}.Minimise(ctx, lower, upper, maxNodes, better)
}

// Minimise is [Minimise] with the forbidden differences of the problem.
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
