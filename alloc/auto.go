package alloc

import (
	"context"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/strip"
	"github.com/tflarena/tflarena/lifetime"
)

// DefaultSearchTime is the default time limit of the exact strategy within [Auto].
const DefaultSearchTime = time.Second

// solveAuto takes the best plan of the quick strategies (the first of equal ones), lets the exact
// strategy improve it for a while, and then, if there still is no proof, runs the other searching
// strategies, which are bounded in work, not in time. If ctx would end before their turn, the exact
// strategy is interrupted for them and gets the remaining time: a longer limit does everything that the
// default one does, and more.
func solveAuto(ctx context.Context, p *task) (*Plan, error) {
	end := time.Now().Add(p.searchTime())
	best, err := p.portfolio(ctx)
	if err != nil || best.Optimal || best.Interrupted {
		return best, err
	}
	limit := p.searchTime()
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= limit {
		limit = min(limit, DefaultSearchTime)
	}
	best, inTime, err := p.improvedWithin(ctx, best, limit)
	if err != nil {
		return nil, err
	}
	best.Tried++
	if best.Interrupted = best.Interrupted && ctx.Err() != nil; best.Optimal || best.Interrupted {
		return best, nil
	}
	if p.opt.Forbidden != nil {
		if best, err = p.improvedWithoutDistances(ctx, best, limit); err != nil || best.Optimal {
			return best, err
		}
	}
	if best, err = p.search(ctx, best); err != nil || best.Optimal || best.Interrupted {
		return best, err
	}
	if inTime && p.opt.SearchNodes == 0 && p.opt.SearchTime > DefaultSearchTime {
		return p.searchUntil(ctx, best, end)
	}
	if inTime || limit == p.searchTime() {
		return best, nil
	}
	again, _, err := p.improvedWithin(ctx, best, p.searchTime()-limit)
	if err != nil {
		return nil, err
	}
	again.continueFrom(best)
	again.Interrupted = again.Interrupted && ctx.Err() != nil
	return again, nil
}

// continueFrom adds the nodes and proofs of an earlier search.
func (plan *Plan) continueFrom(earlier *Plan) {
	plan.Nodes += earlier.Nodes
	plan.LowerBound = max(plan.LowerBound, earlier.LowerBound)
	if plan.Total == plan.LowerBound && !plan.Optimal {
		plan.Optimal, plan.Proof = true, Proof{Kind: ByBound, Text: "the total equals the lower bound that the search has proven"}
	}
}

// improvedWithin is improved with a time limit. It reports whether the search ended by itself before
// the limit, so that more time would not help.
func (p *task) improvedWithin(ctx context.Context, best *Plan, limit time.Duration) (_ *Plan, inTime bool, err error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	best, err = p.improved(limited, best)
	return best, limited.Err() == nil, err
}

func (p *task) searchTime() time.Duration {
	if p.opt.SearchTime > 0 {
		return p.opt.SearchTime
	}
	return DefaultSearchTime
}

// improved lets the exact strategy improve a plan. The result keeps the name of the plan's strategy
// unless it is smaller.
func (p *task) improved(ctx context.Context, best *Plan) (*Plan, error) {
	improve := improveOffsets
	switch {
	case p.opt.Approach == Shared:
		improve = improveShared
	case p.opt.Forbidden != nil:
		improve = improveDistances
	}
	plan, err := improve(ctx, p, best)
	if err != nil {
		return nil, err
	}
	plan.Approach, plan.Winner, plan.Tried = p.opt.Approach, best.Winner, best.Tried
	plan.Total = plan.placedTotal(p.records)
	if plan.Total < best.Total {
		plan.Winner = Exact
	}
	plan.applyBound(p.bound)
	p.report(plan)
	return plan, nil
}

// search runs the thorough strategies that accept this number of records, and keeps their proofs.
func (p *task) search(ctx context.Context, best *Plan) (*Plan, error) {
	for _, s := range Strategies(p.opt.Approach) {
		if !slices.Contains(searchStrategies, s.Name) || s.Name == Exact || len(p.records) > strip.MaxRecords {
			continue // with more records they only repeat the quick strategies
		}
		plan, err := p.withoutProgress().run(ctx, s)
		if err != nil {
			best.Interrupted = ctx.Err() != nil
			break
		}
		best.Tried++
		if plan.Total >= best.Total {
			continue
		}
		plan.Tried = best.Tried
		plan.continueFrom(best)
		best = plan
		p.report(best)
		if best.Optimal {
			break
		}
	}
	return best, nil
}

// searchUntil repeats the random search with other seeds until end, if the exact strategy gave up: a
// problem too large for it has no other use for a limit above the default.
func (p *task) searchUntil(ctx context.Context, best *Plan, end time.Time) (*Plan, error) {
	pinned := slices.ContainsFunc(p.records, func(r lifetime.Record) bool { return r.Pinned })
	if p.opt.Approach != Offsets || p.opt.Forbidden != nil || len(p.records) > strip.MaxRecords || pinned {
		return best, nil
	}
	limited, cancel := context.WithDeadline(ctx, end)
	defer cancel()
	for seed := uint64(2); !best.Optimal && limited.Err() == nil; seed++ {
		placed, err := strip.SearchFrom(limited, p.records, p.bound.Bytes, seed)
		if err != nil {
			break // no time for a plan
		}
		again := &Plan{Approach: Offsets, Offsets: placed.Offsets, Winner: "strip-packing-search", Tried: best.Tried}
		if again.Total = again.placedTotal(p.records); again.Total < best.Total {
			again.applyBound(p.bound)
			again.continueFrom(best)
			best = again
			p.report(best)
		}
	}
	best.Interrupted = !best.Optimal && ctx.Err() != nil
	return best, nil
}

// withoutProgress returns p without its progress function: a strategy within auto must not
// report a plan that is no better than the last.
func (p *task) withoutProgress() *task {
	quiet := *p
	quiet.opt.Progress = nil
	return &quiet
}
