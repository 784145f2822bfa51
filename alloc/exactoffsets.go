package alloc

import (
	"context"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
)

// solveExact starts from the best plan of the quick strategies and searches until no
// smaller total is possible. When ctx ends it returns the best plan until then, with the
// bound it has reached.
func solveExact(ctx context.Context, p *task) (*Plan, error) {
	plan, err := p.portfolio(ctx)
	if err != nil {
		return nil, err
	}
	if !plan.Optimal && !plan.Interrupted {
		limited, cancel := ctx, context.CancelFunc(func() {})
		if p.opt.SearchTime > 0 {
			limited, cancel = context.WithTimeout(ctx, p.opt.SearchTime)
		}
		defer cancel()
		if plan, err = p.improved(limited, plan); err != nil {
			return nil, err
		}
	}
	plan.Winner, plan.Tried = Exact, 1
	return plan, nil
}

// improveOffsets searches for smaller totals than that of a plan. A component that is too
// large for it stays as it is.
func improveOffsets(ctx context.Context, p *task, best *Plan) (*Plan, error) {
	components := componentsOf(p.records, best.Offsets)
	for _, c := range components {
		if c.total > p.bound.Bytes && ctx.Err() == nil {
			c.prepare()
		}
	}
	work := &prober{ctx: ctx, components: components, seed: p.opt.Seed, workers: p.opt.workers(), most: p.opt.SearchNodes}
	work.better = func() {
		total, floor := work.state()
		p.progress(Progress{Exact, total, floor, nodesOf(components)})
	}
	complete := work.run()
	plan := assemble(components, best.Offsets)
	plan.Interrupted = !complete
	certify(plan, components, p.bound)
	return plan, nil
}

func nodesOf(components []*component) (nodes int64) {
	for _, c := range components {
		nodes += c.nodes
	}
	return nodes
}

// assemble makes a plan of the components' offsets.
func assemble(components []*component, offsets []int64) *Plan {
	plan := &Plan{Offsets: slices.Clone(offsets), Nodes: nodesOf(components)}
	for _, c := range components {
		for k, i := range c.rows {
			plan.Offsets[i] = c.offsets[k]
		}
		plan.LowerBound = max(plan.LowerBound, c.floor.Bytes)
	}
	return plan
}

// certify says what was proven, where it is more than a bound of the whole problem.
func certify(plan *Plan, components []*component, b problem.Bound) {
	var total int64
	var hardest *component
	for _, c := range components {
		total = max(total, c.total)
		if hardest == nil || c.floor.Bytes > hardest.floor.Bytes {
			hardest = c
		}
	}
	if hardest == nil || plan.LowerBound <= b.Bytes || total > plan.LowerBound {
		return
	}
	plan.Optimal, plan.Proof = true, "the total equals the lower bound: "+hardest.floor.Reason
	if hardest.exhausted {
		plan.Proof = fmt.Sprintf("a search through all packings of less than %s bytes found none, %s nodes in all", comma(plan.LowerBound), comma(plan.Nodes))
	}
}
