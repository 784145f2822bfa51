// Package tileplan plans the memory off chip of a model that is computed tile by tile: it cuts the
// model with package lifetime/tiling, plans the tensors with package alloc/tiles, and chooses
// between the cuts.
package tileplan

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/tiles"
	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/tiling"
	"github.com/tflarena/tflarena/tflite"
)

// A Result is a cut model with its plan.
type Result struct {
	*tiling.Schedule
	// Problem is the tensors off chip, and Plan a plan for them. It is interrupted where more time
	// may have found a smaller plan, or a better cut.
	Problem tiles.Problem
	Plan    *alloc.Plan
	// Whole is a plan of all tensors without tiles.
	Whole *alloc.Plan
}

// Solve cuts and plans a subgraph. Cascades stay only where they make the plan smaller. When the
// context ends after the operators have been cut, each by itself, there is still a plan: the best
// that was found until then. The errors are those of [tiling.New], [tiles.Solve] and
// [alloc.Solve].
func Solve(ctx context.Context, m *tflite.Model, subgraph int, cut tiling.Options, how alloc.Options) (*Result, error) {
	schedules, err := cuts(ctx, m, subgraph, cut)
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
		plan, err := within(ctx, len(schedules)+1-i, how, "tile-aware-by-size", prepared.Solve)
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
	best.Whole, err = within(ctx, 1, how, alloc.GreedyBySize, func(ctx context.Context, how alloc.Options) (*alloc.Plan, error) {
		return alloc.Solve(ctx, best.WholeTensors, how)
	})
	return best, err
}

// cuts returns a schedule without cascades, unless they are given, and one with cascades where some
// lower the peak. The search for cascades has half of the time that is left, so that there is time
// to plan.
func cuts(ctx context.Context, m *tflite.Model, subgraph int, cut tiling.Options) ([]*tiling.Schedule, error) {
	alone := cut
	alone.Cascade = 0
	first, err := tiling.New(ctx, m, subgraph, alone)
	if err != nil || cut.Given != nil || cut.Cascade < 2 {
		return []*tiling.Schedule{first}, err
	}
	ctx, cancel := deadline.Share(ctx, 2)
	defer cancel()
	joined, err := tiling.New(ctx, m, subgraph, cut)
	switch {
	case err != nil && ctx.Err() != nil:
		first.Interrupted = true
	case err != nil:
		return nil, err
	case slices.ContainsFunc(joined.Runs, func(x tiling.Run) bool { return x.First < x.Last }):
		return []*tiling.Schedule{first, joined}, nil
	default:
		first.Interrupted = joined.Interrupted
	}
	return []*tiling.Schedule{first}, nil
}

// within plans in one of so many equal parts of the time that is left. Where it ends before there is
// any plan, a quick strategy makes one, and where the time ends before that, the quickest.
func within(ctx context.Context, parts int, how alloc.Options, quick string, solve func(context.Context, alloc.Options) (*alloc.Plan, error)) (*alloc.Plan, error) {
	part, cancel := deadline.Share(ctx, parts)
	defer cancel()
	plan, err := solve(part, how)
	if err == nil || part.Err() == nil {
		return plan, err
	}
	how.Strategy = quick
	if plan, err = solve(ctx, how); err != nil && ctx.Err() != nil {
		how.Strategy = naive
		plan, err = solve(context.WithoutCancel(ctx), how)
	}
	if err == nil {
		plan.Interrupted = !plan.Optimal
	}
	return plan, err
}

const naive = "naive"

// Records returns the usage records of the tensors off chip in half steps.
func (r *Result) Records() ([]lifetime.Record, error) { return tiles.Records(r.Problem) }
