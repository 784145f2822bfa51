package apart

import (
	"context"
	"fmt"

	"github.com/tflarena/tflarena/alloc/internal/answer"
	"github.com/tflarena/tflarena/alloc/internal/disjunctive"
	"github.com/tflarena/tflarena/alloc/internal/problem"
)

// Options limit a search; see alloc.Options.
type Options struct {
	// Nodes is about how many nodes the search may visit; zero means any number.
	Nodes int64
	// Seed chooses other random numbers.
	Seed uint64
	// Better, when set, is called with each better total or bound, in bytes.
	Better func(total, bound, nodes int64)
}

// A Result is the best that a search has found.
type Result struct {
	Offsets []int64
	// LowerBound is a number of bytes that no plan goes below, which the search has proven.
	LowerBound int64
	// Optimal says that the search has proven that no offsets are better, and Proof how.
	Optimal bool
	Proof   string
	Nodes   int64
	// Interrupted says that the search ended before there was nothing left to do.
	Interrupted bool
}

// Improve searches for a smaller total than that of offsets. bound is that of the problem.
func (p *Problem) Improve(ctx context.Context, offsets []int64, bound problem.Bound, o Options) *Result {
	result := &Result{Offsets: offsets, LowerBound: bound.Bytes}
	total := problem.TotalOf(p.Records, offsets)
	search := disjunctive.Problem{Records: p.Records, Forbid: disjunctive.Forbid(p.forbid)}
	best := search.Minimise(ctx, bound.Bytes, total, o.Nodes, func(_ []int64, total int64) {
		if o.Better != nil {
			o.Better(total, bound.Bytes, 0)
		}
	})
	if best.Offsets != nil {
		result.Offsets = best.Offsets
	}
	result.Nodes = best.Nodes
	if result.Interrupted = !best.Proven && len(p.Records) <= disjunctive.MaxRecords; best.Proven && best.Total > bound.Bytes {
		result.LowerBound, result.Optimal = best.Total, true
		result.Proof = fmt.Sprintf("a search through all distances of less than %d bytes found none, %d nodes in all", best.Total, best.Nodes)
	}
	return result
}

// Fitted is what [Problem.Fit] found out.
type Fitted struct {
	Answer answer.Answer
	// Best is the smallest found, within the capacity when the answer is Fits.
	Best *Result
	// Why says why the answer is Misfit, and Core which records do not fit by themselves.
	Why  string
	Core []int
}

// Fit decides whether the records fit into an arena of capacity bytes. offsets are those of
// a plan, and bound is that of the problem.
func (p *Problem) Fit(ctx context.Context, offsets []int64, capacity int64, bound problem.Bound, o Options) *Fitted {
	fitted := &Fitted{Best: &Result{Offsets: offsets, LowerBound: bound.Bytes}}
	if problem.TotalOf(p.Records, offsets) <= capacity {
		fitted.Answer = answer.Fits
		return fitted
	}
	if bound.Bytes > capacity {
		fitted.Answer, fitted.Why = answer.Misfit, fmt.Sprintf("%s is %d bytes", bound.Reason, bound.Bytes)
		fitted.Core = problem.Identity(len(p.Records))
		return fitted
	}
	search := disjunctive.Problem{Records: p.Records, Forbid: disjunctive.Forbid(p.forbid)}
	found := search.Fit(ctx, capacity, o.Nodes)
	fitted.Answer, fitted.Best.Nodes = found.Answer, found.Nodes
	switch found.Answer {
	case answer.Fits:
		fitted.Best.Offsets = found.Offsets
	case answer.Misfit:
		fitted.Best.LowerBound = max(fitted.Best.LowerBound, capacity+1)
		fitted.Why = fmt.Sprintf("a search through all distances, %d nodes in all, found none", found.Nodes)
		fitted.Core = problem.Identity(len(p.Records))
	}
	return fitted
}
