package alloc

import (
	"context"
	"errors"

	"golang.org/x/exp/slices"
)

// searchStrategies are the slow strategies, which search; all others form the portfolio.
var searchStrategies = []string{"hill-climb", "strip-packing-search", Exact}

// leadingStrategies are the best quick strategies on large problems; the one for offsets stays fast
// however records overlap.
var leadingStrategies = map[Approach]string{Offsets: stripOrdersName, Shared: "greedy-by-size-improved"}

const stripOrdersName = "strip-packing-orders"

// manyRecords is the number of records above which the portfolio starts with the leading strategy and
// limits the others to the search time in total.
const manyRecords = 10_000

// portfolio runs the quick strategies of the approach in registry order and returns the best plan, the
// first of equal ones. It stops at a plan that is proven optimal, and skips strategies that accept
// fewer records. When ctx ends, it returns the best plan so far with Interrupted set, at least the
// naive one.
func (p *task) portfolio(ctx context.Context) (*Plan, error) {
	var best *Plan
	tried := 0
	limited := ctx
	for _, s := range p.quick() {
		plan, err := p.withoutProgress().run(limited, s)
		if tooMany := (*TooManyRecordsError)(nil); errors.As(err, &tooMany) {
			continue
		}
		if err != nil && best != nil && limited.Err() != nil {
			best.Interrupted = ctx.Err() != nil
			break
		}
		if err != nil && best == nil && ctx.Err() != nil {
			return p.fallback(ctx)
		}
		if err != nil {
			return nil, err
		}
		tried++
		if best == nil || plan.Total < best.Total {
			best = plan
			p.report(best)
		}
		if best.Optimal || p.opt.Quick {
			break
		}
		if len(p.records) > manyRecords && limited == ctx {
			var cancel context.CancelFunc
			limited, cancel = context.WithTimeout(ctx, p.searchTime())
			defer cancel()
		}
	}
	best.Tried = tried
	return best, nil
}

// fallback returns the naive plan, which takes no time.
func (p *task) fallback(ctx context.Context) (*Plan, error) {
	naive, err := Lookup(p.opt.Approach, "naive")
	if err != nil {
		return nil, err
	}
	plan, err := p.run(context.WithoutCancel(ctx), naive)
	if err != nil {
		return nil, err
	}
	plan.Interrupted = true
	return plan, nil
}

func (p *task) quick() []Strategy {
	list := slices.DeleteFunc(Strategies(p.opt.Approach), func(s Strategy) bool {
		return s.Name == Auto || slices.Contains(searchStrategies, s.Name) || p.opt.Forbidden == nil && slices.Contains(distanceAware, s.Name)
	})
	first := slices.IndexFunc(list, func(s Strategy) bool { return s.Name == leadingStrategies[p.opt.Approach] })
	if first > 0 && len(p.records) > manyRecords {
		s := list[first]
		list = slices.Insert(slices.Delete(list, first, first+1), 0, s)
	}
	return list
}
