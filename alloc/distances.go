package alloc

import (
	"context"
	"time"

	"github.com/tflarena/tflarena/alloc/internal/distances"
)

// Strategies that support [Options.Forbidden]. [Auto] tries them only with it: without it they have no
// advantage.
var distanceAware = []string{"tile-aware-by-size", "tile-aware-by-length", "tile-aware-by-peers", "tile-aware-printed", "tile-aware-best-fit"}

// withDistances is the solver of a strategy that supports [Options.Forbidden].
func withDistances(place func(*distances.Problem, context.Context) ([]int64, error)) solver {
	return func(ctx context.Context, p *task) (*Plan, error) {
		offsets, err := place(p.distances, ctx)
		if err != nil {
			return nil, err
		}
		return &Plan{Offsets: offsets}, nil
	}
}

// improveDistances searches for a smaller total among plans that keep [Options.Forbidden].
func improveDistances(ctx context.Context, p *task, best *Plan) (*Plan, error) {
	return planOf(p.distances.Improve(ctx, best.Offsets, p.bound, p.distanceOptions())), nil
}

func (p *task) distanceOptions() distances.Options {
	return distances.Options{Nodes: p.opt.SearchNodes, Seed: p.opt.Seed, Better: p.exactOptions().Better}
}

// improvedWithoutDistances improves an unproven plan with the exact strategy for whole records, for at
// most limit, if that may help: then a plan is never worse than without [Options.Forbidden].
func (p *task) improvedWithoutDistances(ctx context.Context, best *Plan, limit time.Duration) (*Plan, error) {
	whole := lowerBound(Offsets, p.records)
	if whole.Bytes >= best.Total || ctx.Err() != nil {
		return best, nil
	}
	plain := p.withoutProgress()
	plain.opt.Forbidden, plain.bound = nil, whole
	start, err := plain.portfolio(ctx)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	plan, err := plain.improved(limited, start)
	if err != nil || plan.Total >= best.Total {
		return best, err
	}
	plan.Optimal, plan.Proof, plan.LowerBound, plan.Interrupted = false, Proof{}, best.LowerBound, ctx.Err() != nil
	plan.Tried, plan.Nodes = best.Tried, plan.Nodes+best.Nodes
	plan.applyBound(p.bound)
	p.report(plan)
	return plan, nil
}
