package main

import (
	"errors"
	"fmt"

	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/improve"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/rewrite"
)

// reword adds related flags to the messages of a rewritten model.
func (f *rewriteFlags) reword(w *app.Rewritten, limit timeLimit) {
	w.Reason.Text += flagHints[w.Reason.Kind]
	for i := range w.Notes {
		n := &w.Notes[i]
		switch n.Kind {
		case improve.Unordered:
			n.Text = fmt.Sprintf("no other order was planned, because --time-limit %s was reached first", limit.ending())
		case improve.WritesOver:
			n.Text = overlapNote(f.Alias, f.Device.Kernels, len(w.Overlaps))
		case improve.TakesOver:
			n.Text = aliasNote(f.Alias, f.Device.Kernels, len(w.Takeovers))
		}
		n.Text += flagHints[n.Kind]
	}
	for i := range w.Warnings {
		n := &w.Warnings[i]
		if marker := app.OtherKernels(w.Model, f.Device); marker != nil && n.Kind == improve.PlanBroken {
			n.Text += kernelsHint(marker)
		} else {
			n.Text += flagHints[n.Kind]
		}
	}
}

// flagHints end messages about effects of a flag or a command.
var flagHints = map[improve.Kind]string{
	improve.ForeignStays:   "; --force replaces it",
	improve.LargerInLiteRT: ": --ignore-litert takes it",
	improve.WrongIfOrdered: "; --ignore-litert takes it",
	improve.OrderUnforced:  forceHint,
	improve.ForKernels:     "; rewrite --remove takes the plan out",
	improve.PlanBroken:     remedies[results.Verify],
	improve.WrongAsItIs:    remedies[results.Reorder],
}

// unrewritten explains an error of [app.Rewrite].
func (p *program) unrewritten(err error) error {
	fault := (*rewrite.FaultError)(nil)
	switch {
	case errors.As(err, &fault):
		return faultError{fault.Err}
	case errors.As(err, new(*improve.DisorderError)):
		return fmt.Errorf("%w; --toposort puts them into a valid order, but the model may then compute something else", err)
	}
	return hint(p.solveError(nil, err))
}
