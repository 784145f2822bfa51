package app

import (
	"context"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/shell"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/fit"
)

// An Ask says what a report has to contain, and how to make it.
type Ask struct {
	// File is what command lines call the model, and Flags are those that they need for the same
	// figures: the target, the scratch, and what may share memory.
	File  string
	Flags []string
	Alias rules.Alias
	// Fit is the budget that the model is fitted into, nil for none, and FitFlags are what command
	// lines call it. Fitted does that.
	Fit      *fit.Goal
	FitFlags []string
	Fitted   func(context.Context, fit.Goal) (*fit.Report, error)
	// Options are those of each strategy, but for its name. Solve runs one.
	Options alloc.Options
	Solve   Solver
}

// rewrites returns the command line that rewrites the model, with more flags than the usual ones.
func (a *Ask) rewrites(more ...string) string {
	return shell.Command("rewrite", a.File, a.flags(more)...)
}

func (a *Ask) fits() string { return shell.Command("fit", a.File, a.flags(a.FitFlags)...) }

func (a *Ask) flags(more []string) (list []string) {
	list = append(append(list, a.Flags...), more...)
	return append(list, "-o", shell.Smaller(a.File))
}
