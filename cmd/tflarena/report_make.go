package main

import (
	"context"
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/asis"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/improve"
	"github.com/tflarena/tflarena/tflite"
)

// A reporter makes the report of one model.
type reporter struct {
	p    *program
	c    *cli.Context
	ask  *reportAsk
	file string
	*status
	report *results.Report
}

// run adds to the report all that there is to show.
func (r *reporter) run(ctx context.Context) error {
	r.report = results.NewReport(r.view, scratchSource(r.c), r.target.ABI)
	if r.carried == nil {
		r.report.Scratch = ""
	}
	for _, note := range r.notes {
		if note.Kind == results.NoteScratch {
			note.Text = fitScratchNote(r.c, len(r.scratch)) // no file can name the scratch here either
		}
		r.report.Notes = append(r.report.Notes, note)
	}
	r.report.Warnings = append(append(r.report.Warnings, warnings(r.view)...), fileWarnings(r.view)...)
	if r.carried != nil {
		if err := r.models(ctx); err != nil {
			return err
		}
	}
	return r.strategies(ctx)
}

// models adds the model as it is, and those that other commands make of it.
func (r *reporter) models(ctx context.Context) error {
	m := r.view.Model
	r.report.Warnings = append(r.report.Warnings, planWarnings(r.carried, m)...)
	own := r.report.AddModel(results.GraphFile, "as it is", r.carried, r.arena)
	own.Strategy = "the runtime's planner"
	if r.carried.Followed() {
		r.report.Notes = append(r.report.Notes, markerNotes(r.c, r.carried.Marker)...)
		own.Title, own.Strategy = "as it is, with its plan", "the plan in the file"
	}
	if !r.carried.Outcome.Shared {
		own.Bound(alloc.LowerBound(alloc.Offsets, r.carried.Outcome.Records))
	}
	same := sameTarget(r.c)
	same = append(append(same, asked(r.c, "scratch")...), asked(r.c, "alias")...)
	goal := improve.Goal{Target: r.target, Scratch: r.scratch, Alias: r.ask.alias}
	if err := r.improved(ctx, results.PlanRewritten, "rewritten", goal, append(same[:len(same):len(same)], "-o", smaller(r.file))); err != nil {
		return err
	}
	goal.Reorder = true
	if err := r.improved(ctx, results.GraphReordered, "rewritten and reordered", goal, append(same[:len(same):len(same)], "--reorder", "-o", smaller(r.file))); err != nil {
		return err
	}
	if r.ask.fit == nil {
		return nil
	}
	return r.fitted(ctx, append(append(same, asked(r.c, "arena", "head")...), "-o", smaller(r.file)))
}

// improved adds what "rewrite" makes of the model, where that is a gain.
func (r *reporter) improved(ctx context.Context, name, title string, goal improve.Goal, flags []string) error {
	m := r.view.Model
	o, err := improve.Improve(ctx, m, goal)
	if errors.Is(err, context.Canceled) || r.c.Context.Err() != nil {
		return named(m.Name, interruptedError{})
	}
	if fault := (*rewrite.FaultError)(nil); errors.As(err, &fault) {
		return named(m.Name, faultError{fault.Err})
	}
	if err != nil || o.After.Arena >= r.arena.Used() || goal.Reorder && o.Moved == 0 {
		return nil // what is wrong with the model is said by its warnings
	}
	plan, err := r.written(ctx, name, title, o.Data)
	if err != nil {
		return err
	}
	plan.Strategy, plan.Next = o.Strategy, command("rewrite", r.file, flags...)
	plan.Share(o)
	plan.Bound(o.Bound)
	return nil
}

// written adds the plan of a model file that was made of the model.
func (r *reporter) written(ctx context.Context, name, title string, data []byte) (*results.ReportPlan, error) {
	m, err := tflite.Parse(data, r.view.Model.Name)
	if err != nil {
		return nil, named(r.view.Model.Name, faultError{err})
	}
	scratch, err := fitScratch(r.c, r.view.Model, r.target)
	if err != nil {
		return nil, named(m.Name, err)
	}
	carried, err := asis.Follow(ctx, m, scratch(m))
	if err != nil {
		return nil, named(m.Name, faultError{err})
	}
	return r.report.AddModel(name, title, carried, carried.Outcome.Arena(r.target)), nil
}
