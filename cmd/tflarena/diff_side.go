package main

import (
	"bytes"
	"context"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/remarks"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// diffSides returns the figures of both models. Those of equal files are made once: a
// search that runs out of time need not find the same twice.
func (p *program) diffSides(c *cli.Context, r rules.Rules, a, b *tflite.Model) (x, y *results.DiffSide, err error) {
	if x, err = p.diffSide(c, r, a); err != nil {
		return nil, nil, err
	}
	if bytes.Equal(a.Data, b.Data) {
		twin := *x
		twin.Input = b.Name
		return x, &twin, nil
	}
	y, err = p.diffSide(c, r, b)
	return x, y, err
}

// diffSide returns the figures of a model, as analyze has them.
func (p *program) diffSide(c *cli.Context, r rules.Rules, m *tflite.Model) (*results.DiffSide, error) {
	s, err := asItIs(c, m, r)
	if err != nil {
		return nil, err
	}
	ctx := c.Context
	if r.Planner != "" {
		// The runtime's planner is quick, and its figure is never left out.
		ctx = context.WithoutCancel(ctx)
	}
	plan, err := p.solve(ctx, c, m.Name, s.Records, alloc.Options{Approach: alloc.Offsets, Strategy: r.Planner})
	if err != nil {
		return nil, err
	}
	side := results.NewDiffSide(s.View, s.Records, plan)
	side.Warnings = remarks.Warnings(s.View)
	side.Layout = s.layout(plan)
	if s.Carried != nil {
		side.Follow(s.Arena, s.Device)
		side.Notes = s.notes
		if o := s.Carried.Outcome; s.Carried.Followed() {
			side.Carries(o.Pinned, o.Planned, plan.Total)
			side.Notes = append(side.Notes, remarks.MarkerNotes(s.Carried.Marker, s.Device.Kernels)...)
			if o.Shared {
				side.Notes = append(side.Notes, results.Note{
					Kind: results.NoteShared, Text: "in the embedded plan, tensors share memory; the lower bound does not allow for that",
				})
			}
		}
		side.Warnings = append(append(side.Warnings, remarks.PlanWarnings(s.Carried, m)...), remarks.UnknownArena(s.Arena.Figures)...)
	}
	p.warn(c, m.Name, side.Warnings)
	p.noteTime(c, m.Name, plan)
	return side, nil
}
