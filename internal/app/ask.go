package app

import (
	"context"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/shell"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/shrink"
)

// An Ask specifies the contents of a report.
type Ask struct {
	// File is the model on command lines, and Flags are the flags that give the same figures: the
	// target, the scratch, and the permitted sharing.
	File  string
	Flags []string
	Alias rules.Alias
	// Fit is the budget that the model is fitted into, or nil, and FitFlags are its command-line flags.
	// Fitted runs the fit.
	Fit      *shrink.Goal
	FitFlags []string
	Fitted   func(context.Context, shrink.Goal) (*shrink.Report, error)
	// Options are the options of each strategy, without its name. Solve runs one.
	Options alloc.Options
	Solve   Solver
}

// rewrites returns the command line that rewrites the model, with additional flags.
func (a *Ask) rewrites(more ...string) string {
	return shell.Command("rewrite", a.File, a.flags(more)...)
}

func (a *Ask) fits() string { return shell.Command("fit", a.File, a.flags(a.FitFlags)...) }

func (a *Ask) flags(more []string) (list []string) {
	list = append(append(list, a.Flags...), more...)
	return append(list, "-o", shell.Smaller(a.File))
}
