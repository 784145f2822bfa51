// Package tileplan plans the memory off chip of a model that is computed tile by tile: it cuts the
// model with package lifetime/tiling, plans the tensors with package alloc/tiles, and chooses
// between the cuts.
package tileplan

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/tiles"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/tiling"
	"github.com/tflarena/tflarena/tflite"
)

// A Result is a cut model with its plan.
type Result struct {
	*tiling.Schedule
	// Problem is the tensors off chip, and Plan a plan for them.
	Problem tiles.Problem
	Plan    *alloc.Plan
	// Whole is a plan of all tensors without tiles.
	Whole *alloc.Plan
}

// Solve cuts and plans a subgraph. Cascades stay only where they make the plan smaller. The
// errors are those of [tiling.New], [tiles.Solve] and [alloc.Solve].
func Solve(ctx context.Context, m *tflite.Model, subgraph int, cut tiling.Options, how alloc.Options) (*Result, error) {
	r, err := one(ctx, m, subgraph, cut, how)
	if err != nil {
		return nil, err
	}
	if cut.Given == nil && slices.ContainsFunc(r.Runs, func(x tiling.Run) bool { return x.First < x.Last }) {
		cut.Cascade = 0
		plain, err := one(ctx, m, subgraph, cut, how)
		if err != nil {
			return nil, err
		}
		if plain.Plan.Total <= r.Plan.Total {
			r = plain
		}
	}
	how.Approach, how.Strategy = alloc.Offsets, alloc.Auto
	r.Whole, err = alloc.Solve(ctx, r.WholeTensors, how)
	return r, err
}

func one(ctx context.Context, m *tflite.Model, subgraph int, cut tiling.Options, how alloc.Options) (*Result, error) {
	s, err := tiling.New(m, subgraph, cut)
	if err != nil {
		return nil, err
	}
	r := &Result{Schedule: s, Problem: tiles.Problem{Tensors: s.Tensors, Semantics: cut.Semantics}}
	r.Plan, err = tiles.Solve(ctx, r.Problem, how)
	return r, err
}

// Records returns the usage records of the tensors off chip in half steps.
func (r *Result) Records() ([]lifetime.Record, error) { return tiles.Records(r.Problem) }
