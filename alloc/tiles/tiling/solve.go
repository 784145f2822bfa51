package tiling

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/tiles"
	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/tflite"
)

// A Result is a schedule with plans of the memory off chip.
type Result struct {
	*Schedule
	// Problem has the tensors off chip, and Plan is a plan of it. Plan.Interrupted reports that a
	// search for cascades or for offsets ended with its time.
	Problem tiles.Problem
	Plan    *alloc.Plan
	// Whole is a plan of the same tensors without tiles.
	Whole *alloc.Plan
}

// Solve cuts a subgraph and plans its tensors off chip. It keeps cascades only if they make the
// plan smaller. If the context ends after every operator has been cut, Solve returns the best plan
// found so far. It returns errors of [New], [tiles.Solve] and [alloc.Solve].
func Solve(ctx context.Context, m *tflite.Model, subgraph int, cut Options, how alloc.Options) (*Result, error) {
	schedules, err := schedules(ctx, m, subgraph, cut)
	if err != nil {
		return nil, err
	}
	interrupted := false
	var best *Result
	for i, s := range schedules {
		p := tiles.Problem{Tensors: s.Tensors, Semantics: cut.Semantics}
		prepared, err := tiles.Prepare(p)
		if err != nil {
			return nil, err
		}
		plan, err := solveWithin(ctx, len(schedules)+1-i, how, "tile-aware-by-size", prepared.Solve)
		if err != nil {
			return nil, err
		}
		interrupted = interrupted || s.Interrupted || plan.Interrupted
		if best == nil || plan.Total < best.Plan.Total {
			best = &Result{Schedule: s, Problem: p, Plan: plan}
		}
	}
	best.Plan.Interrupted = interrupted
	how.Approach, how.Strategy = alloc.Offsets, alloc.Auto
	best.Whole, err = solveWithin(ctx, 1, how, alloc.GreedyBySize, func(ctx context.Context, how alloc.Options) (*alloc.Plan, error) {
		return alloc.Solve(ctx, best.WholeTensors, how)
	})
	return best, err
}

// schedules returns the schedule with given cascades or none, followed by one with derived cascades
// if [New] finds any. The search for cascades takes at most half of the remaining time, which leaves
// time to plan.
func schedules(ctx context.Context, m *tflite.Model, subgraph int, cut Options) ([]*Schedule, error) {
	alone := cut
	alone.Cascade = 0
	first, err := New(ctx, m, subgraph, alone)
	if err != nil || cut.Given != nil || cut.Cascade < 2 {
		return []*Schedule{first}, err
	}
	ctx, cancel := deadline.Share(ctx, 2)
	defer cancel()
	joined, err := New(ctx, m, subgraph, cut)
	switch {
	case err != nil && ctx.Err() != nil:
		first.Interrupted = true
	case err != nil:
		return nil, err
	case slices.ContainsFunc(joined.Runs, func(x Run) bool { return x.First < x.Last }):
		return []*Schedule{first, joined}, nil
	default:
		first.Interrupted = joined.Interrupted
	}
	return []*Schedule{first}, nil
}

// solveWithin plans in one of so many equal parts of the remaining time. If the part ends before there is
// a plan, it plans again with a quick strategy, and if the context ends as well, with the quickest.
func solveWithin(ctx context.Context, parts int, how alloc.Options, quick string, solve func(context.Context, alloc.Options) (*alloc.Plan, error)) (*alloc.Plan, error) {
	part, cancel := deadline.Share(ctx, parts)
	defer cancel()
	plan, err := solve(part, how)
	if err == nil || part.Err() == nil {
		return plan, err
	}
	how.Strategy = quick
	if plan, err = solve(ctx, how); err != nil && ctx.Err() != nil {
		how.Strategy = "naive"
		plan, err = solve(context.WithoutCancel(ctx), how)
	}
	if err == nil {
		plan.Interrupted = !plan.Optimal
	}
	return plan, err
}
