package alloc

import (
	"context"
	"errors"

	"golang.org/x/exp/slices"
)

// thorough are the strategies that search, and so take their time: the portfolio is all
// others.
var thorough = []string{"hill-climb", "strip-packing-search", Exact}

// leading are the quick strategies that are best on large problems; that for offsets also
// stays fast however records overlap.
var leading = map[Approach]string{Offsets: stripOrdersName, Shared: "greedy-by-size-improved"}

const stripOrdersName = "strip-packing-orders"

// manyRecords is the number of records above which the portfolio begins with the leading
// strategy, and gives the others no more than the search time together.
const manyRecords = 10_000

// portfolio runs the quick strategies of the approach in registry order and returns the
// best plan, the first of equals. It stops when a plan is proven optimal, and passes over
// strategies that accept fewer records. When ctx ends it returns the best plan until
// then, with Interrupted set, and at least the naive one.
func (p *task) portfolio(ctx context.Context) (*Plan, error) {
	var best *Plan
	tried := 0
	limited := ctx
	for _, s := range p.quick() {
		plan, err := p.quietly().run(limited, s)
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

// fallback returns the plan that takes no time.
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

// quick returns the strategies of the portfolio.
func (p *task) quick() []Strategy {
	list := slices.DeleteFunc(Strategies(p.opt.Approach), func(s Strategy) bool {
		return s.Name == Auto || slices.Contains(thorough, s.Name) || p.opt.Apart == nil && slices.Contains(distanceAware, s.Name)
	})
	first := slices.IndexFunc(list, func(s Strategy) bool { return s.Name == leading[p.opt.Approach] })
	if first > 0 && len(p.records) > manyRecords {
		s := list[first]
		list = slices.Insert(slices.Delete(list, first, first+1), 0, s)
	}
	return list
}
