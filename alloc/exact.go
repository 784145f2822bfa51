package alloc

import (
	"context"
	"fmt"

	"github.com/tflarena/tflarena/alloc/internal/coloring"
	"github.com/tflarena/tflarena/alloc/internal/exact"
	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/units"
)

// solveExact starts from the best plan of the quick strategies and searches until no smaller total is
// possible. When ctx ends, it returns the best plan and bound so far.
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

func improveOffsets(ctx context.Context, p *task, best *Plan) (*Plan, error) {
	return planOf(exact.Improve(ctx, p.records, best.Offsets, p.bound, p.exactOptions())), nil
}

// exactOptions returns the options of the exact search for offsets.
func (p *task) exactOptions() exact.Options {
	return exact.Options{
		Nodes: p.opt.SearchNodes, Seed: p.opt.Seed, Workers: p.opt.Workers,
		Better: func(total, bound, nodes int64) {
			p.progress(Progress{Strategy: Exact, Total: total, Bound: bound, Nodes: nodes})
		},
	}
}

func planOf(found *problem.Found) *Plan {
	return &Plan{
		Offsets: found.Offsets, LowerBound: found.LowerBound, Nodes: found.Nodes, Interrupted: found.Interrupted,
		Optimal: found.Optimal, Proof: found.Proof,
	}
}

// maxSharedRecords is the largest number of records for the search: building its tables ignores ctx.
const maxSharedRecords = 20_000

// improveShared searches for a smaller total. When ctx ends or the nodes are spent, it returns the best
// plan and bound so far.
func improveShared(ctx context.Context, p *task, best *Plan) (*Plan, error) {
	if len(p.records) > maxSharedRecords {
		return &Plan{Objects: best.Objects, ObjectSizes: best.ObjectSizes}, nil
	}
	options := coloring.Options{MaxNodes: p.opt.SearchNodes, Better: func(total, bound int64) {
		p.progress(Progress{Strategy: Exact, Total: total, Bound: bound})
	}}
	result := coloring.Minimize(ctx, intervalsOf(p.records), best.ObjectSizes, options)
	plan := &Plan{Objects: best.Objects, ObjectSizes: best.ObjectSizes}
	if result.Objects != nil {
		plan.Objects, plan.ObjectSizes = result.Objects, result.Sizes
	}
	plan.LowerBound, plan.Nodes, plan.Interrupted = result.Bound, result.Nodes, result.Interrupted
	if result.Optimal() && result.Bound > p.bound.Bytes {
		plan.Optimal = true
		plan.Proof = Proof{Kind: BySearch, Text: fmt.Sprintf("the search for a smaller total is complete: %s sets of object sizes had no room, after %s nodes",
			units.Number(result.Cuts), units.Number(result.Nodes))}
	}
	return plan, nil
}

func intervalsOf(records Records) []coloring.Interval {
	intervals := make([]coloring.Interval, len(records))
	for i, r := range records {
		intervals[i] = coloring.Interval{First: r.First, Last: r.Last, Size: r.Size}
	}
	return intervals
}
