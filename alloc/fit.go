package alloc

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/exact"
	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/lifetime"
)

// An Answer states whether records fit into an arena of a given size.
type Answer = problem.Answer

const (
	// Fits: a plan exists.
	Fits = problem.Fits
	// Misfit: no plan exists, and this is proven.
	Misfit = problem.Misfit
	// Unknown: the search ended without an answer.
	Unknown = problem.Unknown
)

// A Verdict is the result of [Fit].
type Verdict struct {
	Answer Answer
	// Plan is a plan within the capacity if the answer is Fits, and otherwise the smallest plan found,
	// which is larger.
	Plan *Plan
	// Core lists the indices of records that do not fit even by themselves if the answer is Misfit,
	// ascending. The set is small, but not always minimal.
	Core []int
	// Proof is the reason if the answer is Misfit.
	Proof Proof
	// Nodes is the number of search nodes visited.
	Nodes int64
}

// Fit decides whether records fit into an arena of capacity bytes. It tries the strategies and the
// lower bounds, then a search that ends with an answer, when ctx ends, or after [Options.SearchNodes]
// nodes. It returns the errors of [Solve] with approach [Offsets]. If ctx ends after the first plan,
// there is no error, and the answer is Unknown.
func Fit(ctx context.Context, records []lifetime.Record, capacity int64, opt Options) (*Verdict, error) {
	opt.Approach = Offsets
	if err := checkInput(records, opt); err != nil {
		return nil, err
	}
	start := time.Now()
	p := newTask(records, opt)
	best, err := p.portfolio(ctx)
	if err != nil {
		return nil, err
	}
	verdict, found, core := p.decide(ctx, best, capacity)
	verdict.Plan = p.fitting(found, best)
	verdict.Plan.Elapsed = time.Since(start)
	restoreEmpty(verdict.Plan, records)
	if err := verdict.Plan.checkDistances(records, opt.Forbidden); err != nil {
		return nil, fmt.Errorf("fault in tflarena, please report it: strategy %s made a wrong plan: %w", verdict.Plan.Winner, err)
	}
	if verdict.Answer == Misfit && !opt.Quick {
		verdict.Core = originalRows(records, core())
	}
	return verdict, nil
}

// decide returns a verdict without its plan and core, the plan found, and a function that finds the
// core.
func (p *task) decide(ctx context.Context, best *Plan, capacity int64) (v *Verdict, found *Plan, core func() []int) {
	if p.opt.Forbidden != nil {
		f := p.distances.Fit(ctx, best.Offsets, capacity, p.bound, p.distanceOptions())
		return &Verdict{Answer: f.Answer, Proof: f.Proof, Nodes: f.Best.Nodes}, planOf(f.Best), f.Core
	}
	f := exact.Fit(ctx, p.records, best.Offsets, capacity, p.bound, p.exactOptions())
	return &Verdict{Answer: f.Answer, Proof: f.Proof, Nodes: f.Best.Nodes}, planOf(f.Best), f.Core
}

// fitting completes a found plan from the best earlier plan.
func (p *task) fitting(plan, best *Plan) *Plan {
	plan.Approach, plan.Strategy = Offsets, cmp.Or(p.opt.Strategy, Auto)
	plan.Winner, plan.Tried = best.Winner, best.Tried
	plan.Total = plan.placedTotal(p.records)
	if plan.Total < best.Total {
		plan.Winner = Exact
	}
	plan.applyBound(p.bound)
	return plan
}

// originalRows maps ascending rows of the non-empty records to rows of all records.
func originalRows(records Records, rows []int) []int {
	var live []int
	for i, r := range records {
		if r.Size > 0 {
			live = append(live, i)
		}
	}
	out := make([]int, len(rows))
	for k, i := range rows {
		out[k] = live[i]
	}
	slices.Sort(out)
	return out
}
