package fit

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// again repeats the search for the smallest head on its result, so that running Fit on the new
// file gains nothing.
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
	if goal.MaxOverhead >= 0 { // as a fraction of the original model
		goal.MaxOverhead = max(goal.MaxOverhead-float64(best.ExtraMACs)/float64(max(f.report.OwnMACs, 1)), 0) * float64(f.report.OwnMACs) / float64(max(op.RunMACs(m, 0), 1))
	}
	more := newFitter(m, goal)
	more.second = true
	if err := more.start(ctx); err != nil {
		return err
	}
	// Its plan was already searched.
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

// againPlain does the same for the result without in-place outputs, and takes it if it is
// better: with them, the repeated search takes another path.
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
