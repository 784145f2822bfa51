package alloc

import (
	"context"
	"time"

	"github.com/tflarena/tflarena/alloc/internal/distances"
)

// The strategies that know [Options.Apart]. Without it what the records hold decides, and the
// others serve as well: then [Auto] does not try these.
var distanceAware = []string{"tile-aware-by-size", "tile-aware-by-length", "tile-aware-by-peers", "tile-aware-printed", "tile-aware-best-fit"}

// withDistances is the solver of a strategy that knows [Options.Apart].
func withDistances(place func(*distances.Problem, context.Context) ([]int64, error)) solver {
	return func(ctx context.Context, p *task) (*Plan, error) {
		offsets, err := place(p.apart, ctx)
		if err != nil {
			return nil, err
		}
		return &Plan{Offsets: offsets}, nil
	}
}

// improveApart searches for smaller totals than that of a plan among those that keep
// [Options.Apart].
func improveApart(ctx context.Context, p *task, best *Plan) (*Plan, error) {
	return planOf(p.apart.Improve(ctx, best.Offsets, p.bound, p.apartly())), nil
}

func (p *task) apartly() distances.Options {
	return distances.Options{Nodes: p.opt.SearchNodes, Seed: p.opt.Seed, Better: p.exactly().Better}
}

// plainly lets the exact strategy for whole records work on a plan that is not proven, where
// that may be of use, for so long at most: then a plan is never worse than it would be without [Options.Apart].
func (p *task) plainly(ctx context.Context, best *Plan, limit time.Duration) (*Plan, error) {
	whole := lowerBound(Offsets, p.records)
	if whole.Bytes >= best.Total || ctx.Err() != nil {
		return best, nil
	}
	plain := p.quietly()
	plain.opt.Apart, plain.bound = nil, whole
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
	plan.judge(p.bound)
	p.report(plan)
	return plan, nil
}
