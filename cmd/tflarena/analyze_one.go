package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/order"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/fit"
	"github.com/tflarena/tflarena/rewrite/reorder"
	"github.com/tflarena/tflarena/tflite"
)

func (p *program) analyzeOne(ctx context.Context, c *cli.Context, r rules.Rules, file string) (*results.Analysis, error) {
	m, err := p.loadModel(c.Context, file)
	if err != nil {
		return nil, err
	}
	v, err := viewOf(m, r, c.Int("subgraph"))
	if err != nil {
		return nil, err
	}
	planner := results.Planner{Label: r.Figure, Strategy: r.Planner}
	var own *alloc.Plan
	if planner.Strategy != "" {
		// The runtime's planner is quick, and its figure is never left out.
		own, err = p.solve(context.WithoutCancel(ctx), c, m.Name, v.Records(), alloc.Options{Approach: alloc.Offsets, Strategy: planner.Strategy})
		if err != nil {
			return nil, err
		}
	}
	best, err := p.solve(ctx, c, m.Name, v.Records(), alloc.Options{Approach: alloc.Offsets, SearchTime: searchTime(c)})
	if err != nil {
		return nil, err
	}
	a := results.NewAnalysis(m.Name, v, planner, own, best)
	a.Warnings = append(warnings(v), fileWarnings(v)...)
	if planner.Strategy != "" {
		if a.Order, err = leastOrder(ctx, v); err != nil {
			return nil, named(m.Name, err)
		}
	}
	if r.IsMicro() {
		if err := followInto(a, m); err != nil {
			return nil, err
		}
		if pieces, ok := fit.Outlook(ctx, v); ok && pieces.Head < best.Total {
			a.Pieces = results.NewOutlook(pieces, fit.OwnMACs(v))
		}
	}
	p.warn(c, m.Name, a.Warnings)
	p.noteTime(c, m.Name, best)
	return a, nil
}

// followInto makes the arena's figure that of the plan which the model carries.
func followInto(a *results.Analysis, m *tflite.Model) error {
	e, err := follow(m.Name, m, nil)
	if err != nil {
		return err
	}
	if e.Followed() {
		a.Follow(e.Outcome.Head, e.Outcome.Pinned, e.Outcome.Planned)
		if e.Outcome.Shared {
			a.Notes = append(a.Notes, results.Note{
				Kind: results.NoteShared, Text: "tensors share memory in the embedded plan; neither the lower bound nor the best plan allow for that",
			})
		}
	}
	a.Warnings = append(a.Warnings, planWarnings(e, m)...)
	return nil
}

// leastOrder returns what is known of the order of a view's operators.
func leastOrder(ctx context.Context, v *rules.View) (*results.Order, error) {
	least, err := reorder.Least(ctx, v, nil)
	if disorder := (*order.DisorderError)(nil); errors.As(err, &disorder) {
		return &results.Order{Problem: fmt.Sprintf("no valid one: %v; rewrite --toposort", err)}, nil
	}
	if err != nil {
		return nil, err
	}
	return results.NewOrder(least), nil
}
