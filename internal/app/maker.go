package app

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/internal/improve"
	"github.com/tflarena/tflarena/internal/notes"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// A Maker makes the report of one model.
type Maker struct {
	*Subject
	Ask    Ask
	Report *results.Report
	// Rewritten are the outcomes of "rewrite" by the names of their plans, including those without a
	// gain, which are no plans of the report.
	Rewritten map[string]*improve.Outcome
}

// Make returns the report of a model. Limited ends with ctx, and also at the time limit, with the best
// so far. The error is [context.Canceled] when ctx ends first, a [*rewrite.FaultError], or one of the
// given functions' errors.
func Make(ctx, limited context.Context, s *Subject, ask Ask) (*Maker, error) {
	r := &Maker{Subject: s, Ask: ask, Rewritten: map[string]*improve.Outcome{}}
	r.Report = results.NewReport(s.View, s.Device)
	r.Report.Notes, r.Report.Warnings = slices.Clone(s.notes), s.warnings()
	if s.Carried != nil {
		if err := r.models(ctx, limited); err != nil {
			return nil, err
		}
	}
	return r, r.strategies(ctx, limited)
}

// judge sets the budgets and the verdict of the report, whose first plan is of the unmodified model.
func (r *Maker) judge() {
	if r.Ask.Fit != nil {
		r.Report.BudgetBytes, r.Report.HeadBudgetBytes = r.Ask.Fit.Budget, r.Ask.Fit.HeadBudget
	}
	r.Report.Decide(r.Report.Plans[0].Figures, r.Device)
}

// models adds the unmodified model, and the models made by other commands.
func (r *Maker) models(ctx, limited context.Context) error {
	m := r.View.Model
	own := r.Report.AddModel(results.GraphFile, "as it is", r.Carried, r.Arena)
	own.Strategy = "the runtime's planner"
	if r.Carried.Followed() {
		own.Title, own.Strategy = "as it is, with its plan", "the plan in the file"
	}
	if !r.Carried.Outcome.Shared {
		own.Bound(alloc.LowerBound(alloc.Offsets, r.Carried.Outcome.Records))
	}
	r.judge()
	goal := r.Goal(false)
	if notes.RefuseFaults(m, goal.Device) != nil {
		if Repairable(ctx, m, r.Device) {
			r.Report.Next = r.Ask.Commands.Repair
		}
		return nil // a model that does not run correctly is not rewritten
	}
	if err := r.improved(ctx, limited, results.PlanRewritten, "rewritten", goal, r.Ask.Commands.Rewrite); err != nil {
		return err
	}
	goal.Reorder = true
	if err := r.improved(ctx, limited, results.GraphReordered, "rewritten and reordered", goal, r.Ask.Commands.Reorder); err != nil {
		return err
	}
	if r.Ask.Fit == nil {
		return nil
	}
	found, err := r.Ask.Fitted(limited, *r.Ask.Fit)
	if errors.Is(err, context.DeadlineExceeded) {
		r.overdue("the model was not fitted into the budget")
		return nil
	}
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Canceled
	}
	return r.addFitted(limited, found)
}

// overdue notes a part that is missing because of the time limit.
func (r *Maker) overdue(lacks string) {
	r.Report.Notes = append(r.Report.Notes, results.Note{Kind: results.NoteNoPlan, Text: "the time limit was reached first: " + lacks})
}

// Goal is the goal of "rewrite".
func (r *Maker) Goal(reorder bool) improve.Goal {
	return improve.Goal{Device: r.Device, Alias: r.Ask.Alias, Reorder: reorder}
}

// improved adds the result of "rewrite" if it is a gain. Next is its command line.
func (r *Maker) improved(ctx, limited context.Context, name, title string, goal improve.Goal, next string) error {
	o, err := improve.Improve(limited, r.View.Model, goal)
	if errors.Is(err, context.Canceled) || ctx.Err() != nil {
		return context.Canceled
	}
	if fault := (*rewrite.FaultError)(nil); errors.As(err, &fault) {
		return fault
	}
	if errors.Is(err, context.DeadlineExceeded) {
		r.overdue(fmt.Sprintf("there is no plan of the model %s", title))
	}
	if err != nil {
		return nil // faults of the model are among its warnings
	}
	r.Rewritten[name] = o
	if o.After.Used >= r.Arena.Used || goal.Reorder && o.Moved == 0 {
		return nil
	}
	plan, err := r.written(limited, name, title, o.Data)
	if err != nil {
		return err
	}
	plan.Strategy, plan.Next = o.Strategy, next
	plan.Share(o)
	plan.Bound(o.Bound)
	return nil
}

// written adds the plan of a rewritten model file.
func (r *Maker) written(ctx context.Context, name, title string, data []byte) (*results.ReportPlan, error) {
	m, err := tflite.Parse(data, r.View.Model.Name)
	if err != nil {
		return nil, &rewrite.FaultError{Err: err}
	}
	carried, err := embedded.Follow(context.WithoutCancel(ctx), r.Device, m, "") // which is quick
	if err != nil {
		return nil, &rewrite.FaultError{Err: err}
	}
	return r.Report.AddModel(name, title, carried, carried.Outcome.Arena(r.Device)), nil
}
