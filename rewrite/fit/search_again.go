package fit

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// again looks for the least head of what was found, so that nobody finds one smaller by asking
// for it once more.
func (f *fitter) again(ctx context.Context) error {
	if !f.least() || f.report.Interrupted || len(f.report.Rungs) == 1 {
		return nil
	}
	best := *f.best()
	m, err := tflite.Parse(best.Data, f.model.Name)
	if err != nil {
		return err
	}
	goal := *f.goal
	if goal.MaxOverhead >= 0 { // of the model that there was
		goal.MaxOverhead = max(goal.MaxOverhead-float64(best.ExtraMACs)/float64(max(f.report.OwnMACs, 1)), 0) * float64(f.report.OwnMACs) / float64(max(op.RunMACs(m, 0), 1))
	}
	more := newFitter(m, goal)
	more.second = true
	if err := more.start(ctx); err != nil {
		return err
	}
	// A plan for it was looked for when it was found.
	if _, err := more.searchWith(ctx, more.order, more.cleanUp); err != nil {
		return err
	}
	if err := more.again(ctx); err != nil {
		return err
	}
	f.report.Interrupted = more.report.Interrupted
	for _, r := range more.report.Rungs[1:] {
		r.ExtraMACs += best.ExtraMACs
		r.Moved, r.Removed = r.Moved+best.Moved, r.Removed+best.Removed
		r.Stages = append(slices.Clone(best.Stages), r.Stages...)
		f.report.Rungs = append(f.report.Rungs, r)
	}
	return nil
}

// againPlain looks for the least head of what was found without takeovers, as is done where
// none are asked for, and takes it where that is better: with takeovers the search of what was
// found goes another way.
func (f *fitter) againPlain(ctx context.Context) error {
	if f.plain == nil || f.report.Interrupted {
		return nil
	}
	if err := f.plain.again(ctx); err != nil {
		return err
	}
	f.report.Interrupted = f.plain.report.Interrupted
	if f.prefers(f.plain.best(), f.best()) {
		f.report.Rungs = f.plain.report.Rungs
	}
	return nil
}
