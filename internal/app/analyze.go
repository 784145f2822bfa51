package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/internal/improve"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/order"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/reorder"
	"github.com/tflarena/tflarena/rewrite/shrink"
)

// AnalyzeOptions configure an analysis.
type AnalyzeOptions struct {
	// Solve runs strategies, and SearchTime limits the searching one.
	Solve      Solver
	SearchTime time.Duration
	// Shapes are notes about shapes other than the file's. The model is then not rewritten, so that no
	// reordered model is measured.
	Shapes []results.Note
}

// Analyze returns the current and the possible memory of a model. When ctx ends, it returns the best so
// far. It returns the errors of Solve, and errors about an order that cannot be found.
func (s *Subject) Analyze(ctx context.Context, o AnalyzeOptions) (*results.Analysis, error) {
	r := s.View.Rules
	planner := results.Planner{Label: r.Figure, Strategy: r.Planner}
	var own *alloc.Plan
	var err error
	if planner.Strategy != "" {
		// The runtime's planner is quick, and its figure is never omitted. In TensorFlow Lite Micro it is
		// the head without the embedded plan; intoMicro sets the head with it.
		own, err = o.Solve(context.WithoutCancel(ctx), s.Records, alloc.Options{Approach: alloc.Offsets, Strategy: planner.Strategy})
		if err != nil {
			return nil, err
		}
	}
	part, cancel := deadline.Share(ctx, 2) // the rest is for orders and tiles
	defer cancel()
	best, err := o.Solve(part, s.Records, alloc.Options{Approach: alloc.Offsets, SearchTime: o.SearchTime})
	if err != nil {
		return nil, err
	}
	a := results.NewAnalysis(s.View.Model.Name, s.View, s.Records, planner, own, best)
	a.Notes, a.Warnings = slices.Clone(s.notes), s.warnings()
	if planner.Strategy != "" {
		if a.Order, err = s.leastOrder(ctx); err != nil {
			return nil, err
		}
	}
	a.FileBytes = int64(len(s.View.Model.Data))
	a.Layout = s.layout(cmp.Or(own, best))
	if s.Carried == nil {
		return a, nil
	}
	s.intoMicro(ctx, a, own.Total)
	if a.Notes = append(a.Notes, o.Shapes...); o.Shapes == nil {
		s.orderIntoMicro(ctx, a)
		s.tiledIntoMicro(ctx, a)
		a.Repairable = Repairable(ctx, s.View.Model, s.Device)
	}
	return a, nil
}

// intoMicro adds the figures of TensorFlow Lite Micro for the unmodified model, and for better ones.
// Online is the head in bytes without any plan.
func (s *Subject) intoMicro(ctx context.Context, a *results.Analysis, online int64) {
	m, o := s.View.Model, s.Carried.Outcome
	a.SetArena(s.Arena, s.Device)
	a.OlderRuntime = results.NewOlderRuntime(s.Older, a.Figures)
	if s.Carried.Followed() {
		a.Carries(o.Pinned, o.Planned, online)
	}
	kind, _ := s.Carried.Trouble(m)
	a.PlanBroken = kind == embedded.Broken || kind == embedded.Unfollowed
	a.Decide()
	plan := s.WithHead(a.BestBytes).Stated()
	a.WithPlan = &plan
}

// orderIntoMicro adds the figures of the best order, which requires a rewritten model.
func (s *Subject) orderIntoMicro(ctx context.Context, a *results.Analysis) {
	if a.Order.Problem == "" && a.Order.LeastPeakBytes < a.Order.PeakBytes {
		a.WithOrder = s.withOrder(ctx, a)
	}
}

// tiledIntoMicro adds the figures of the best tiled model that a small search finds, which requires a
// rewritten model too.
func (s *Subject) tiledIntoMicro(ctx context.Context, a *results.Analysis) {
	best, macs, err := shrink.Outlook(ctx, s.View.Model, s.Device)
	a.Interrupted = a.Interrupted || ctx.Err() != nil
	if err == nil && best != nil && len(best.Stages) > 0 { // faults of the model are reported elsewhere
		a.SetTiled(results.NewOutlook(best, macs))
	}
}

// withOrder returns the figures of the best order and plan that "rewrite --reorder" finds, or nil if the
// required arena is not smaller than with the best plan alone.
func (s *Subject) withOrder(ctx context.Context, a *results.Analysis) *rules.Figures {
	o, err := improve.Improve(ctx, s.View.Model, improve.Goal{Device: s.Device, Reorder: true})
	if err != nil || o.Interrupted {
		return nil // faults of the model are reported elsewhere
	}
	after := results.NewState(o.After).Figures
	if after.Size() >= a.WithPlan.Size() {
		return nil
	}
	return &after
}

// leastOrder returns the least order of a model's operators and its bounds.
func (s *Subject) leastOrder(ctx context.Context) (*results.Order, error) {
	var requests []rules.Request
	if s.Carried != nil {
		requests = s.Carried.Requests
	}
	least, err := reorder.Least(ctx, s.View, requests)
	if disorder := (*order.DisorderError)(nil); errors.As(err, &disorder) {
		return &results.Order{Problem: fmt.Sprintf("no valid one: %v", err)}, nil
	}
	if err != nil {
		return nil, err
	}
	return results.NewOrder(least), nil
}
