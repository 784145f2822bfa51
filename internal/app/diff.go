package app

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/results"
)

// DiffSide returns the figures of one of two compared models, as in [Subject.Analyze]. When ctx ends,
// it uses the best plan so far. It returns the errors of solve.
func (s *Subject) DiffSide(ctx context.Context, solve Solver) (*results.DiffSide, error) {
	r := s.View.Rules
	if r.Planner != "" {
		// The runtime's planner is quick, and its figure is never omitted.
		ctx = context.WithoutCancel(ctx)
	}
	plan, err := solve(ctx, s.Records, alloc.Options{Approach: alloc.Offsets, Strategy: r.Planner})
	if err != nil {
		return nil, err
	}
	side := results.NewDiffSide(s.View, s.Records, plan)
	side.Warnings = s.warnings()
	side.Layout = s.layout(plan)
	side.Interrupted = plan.Interrupted
	if s.Carried == nil {
		return side, nil
	}
	side.SetArena(s.Arena, s.Device)
	side.Notes = slices.Clone(s.notes)
	if o := s.Carried.Outcome; s.Carried.Followed() {
		side.Carries(o.Pinned, o.Planned, plan.Total)
	}
	return side, nil
}
