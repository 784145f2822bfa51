package distances

import (
	"context"
	"fmt"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/units"
)

// Options limit a search; see alloc.Options.
type Options struct {
	// Nodes is the approximate limit of nodes; zero means no limit.
	Nodes int64
	// Seed selects the random numbers.
	Seed uint64
	// Better, when set, is called with each better total or bound, in bytes.
	Better func(total, bound, nodes int64)
}

// Improve searches for a smaller total than offsets have. bound is a bound of the problem. With too
// many pairs the offsets stay unchanged.
func (p *Problem) Improve(ctx context.Context, offsets []int64, bound problem.Bound, o Options) *problem.Found {
	result := &problem.Found{Offsets: offsets, LowerBound: bound.Bytes}
	s := p.search(ctx, offsets, bound, o)
	if s == nil {
		return result
	}
	result.Interrupted = !s.run()
	s.result(result, bound)
	return result
}

// search returns a search that starts from a plan, or nil if there are too many pairs.
func (p *Problem) search(ctx context.Context, offsets []int64, bound problem.Bound, o Options) *search {
	n := p.pairs()
	if n == nil {
		return nil
	}
	s := &search{pairGraph: n, ctx: ctx, best: offsets, total: problem.TotalOf(p.Records, offsets), floor: bound.Bytes, maxNodes: o.Nodes, seed: o.Seed}
	s.better = func() {
		if o.Better != nil {
			o.Better(s.total, s.floor, s.nodes)
		}
	}
	return s
}

// result stores the results of a search.
func (s *search) result(r *problem.Found, bound problem.Bound) {
	r.Offsets, r.LowerBound, r.Nodes = s.best, s.floor, s.nodes
	if s.floor > bound.Bytes && s.floor >= s.total && s.core == nil {
		r.Optimal, r.Proof = true, problem.Proof{Kind: problem.BySearch, Text: "the smallest total at which a tensor can end, from the lower bound on: " + bound.String()}
	} else if s.floor > bound.Bytes && s.floor >= s.total {
		r.LowerBound, r.Optimal = s.total, true
		text := fmt.Sprintf("a search through all distances found no plan of less than %s, %s nodes in all", units.ExactBytes(s.total), units.Number(s.nodes))
		r.Proof = problem.Proof{Kind: problem.BySearch, Text: text}
	}
}

// Fitted is the result of [Problem.Fit].
type Fitted struct {
	Answer problem.Answer
	// Best is the smallest plan found, within the capacity if the answer is Fits.
	Best *problem.Found
	// Proof is the reason for Misfit.
	Proof problem.Proof

	search   *search // nil if there are too many pairs
	refused  []int
	capacity int64
}

// Core returns a few records that do not fit even by themselves, if the answer is Misfit.
func (f *Fitted) Core() []int {
	if f.search == nil {
		return f.refused
	}
	return f.search.misfitCore(f.refused, f.capacity)
}

// Fit decides whether the records fit into an arena of capacity bytes. offsets are a plan, and bound is
// a bound of the problem.
func (p *Problem) Fit(ctx context.Context, offsets []int64, capacity int64, bound problem.Bound, o Options) *Fitted {
	fitted := &Fitted{Best: &problem.Found{Offsets: offsets, LowerBound: bound.Bytes}, capacity: capacity, refused: problem.Identity(len(p.Records))}
	if problem.TotalOf(p.Records, offsets) <= capacity {
		fitted.Answer = problem.Fits
		return fitted
	}
	if bound.Bytes > capacity {
		fitted.Answer, fitted.Proof = problem.Misfit, problem.Proof{Kind: problem.ByExcess, Bound: bound}
		fitted.search = p.search(ctx, offsets, bound, o)
		return fitted
	}
	s := p.search(ctx, offsets, bound, o)
	if s == nil {
		return fitted
	}
	fitted.Answer = s.decide(capacity)
	s.result(fitted.Best, bound)
	if fitted.Answer == problem.Misfit {
		fitted.Best.LowerBound = max(fitted.Best.LowerBound, capacity+1)
		text := fmt.Sprintf("a search through all distances, %s nodes in all, found none", units.Number(s.nodes))
		fitted.Proof = problem.Proof{Kind: problem.BySearch, Text: text}
		fitted.search, fitted.refused = s, s.core
	}
	return fitted
}

// decide answers for a capacity.
func (s *search) decide(capacity int64) problem.Answer {
	if s.climb(capacity, max(firstSteps, orders*s.width)) {
		return problem.Fits
	}
	for nodes := int64(firstNodes); !s.spent() && nodes < 1<<40; nodes *= 2 {
		if found := s.fit(capacity, nodes); found != problem.Unknown {
			return found
		}
	}
	return problem.Unknown
}
