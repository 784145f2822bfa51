package app

import (
	"context"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/shrink"
)

// An Ask specifies the contents of a report.
type Ask struct {
	Alias rules.Alias
	// Fit is the budget that the model is fitted into, or nil. Fitted runs the fit.
	Fit    *shrink.Goal
	Fitted func(context.Context, shrink.Goal) (*shrink.Report, error)
	// Commands are shown to readers of the report.
	Commands Commands
	// Options are the options of each strategy, without its name. Solve runs one.
	Options alloc.Options
	Solve   Solver
}

// Commands are the command lines that make the models of a report, and that repair the model.
type Commands struct{ Rewrite, Reorder, Fit, Repair string }
