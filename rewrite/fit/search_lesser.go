package fit

import (
	"context"

	"github.com/tflarena/tflarena/tflite"
)

// orLesser looks for the same with less freedom where outputs may lie over parts of inputs, and takes
// that where it is better: with other overlaps the search goes another way, and may end worse. What is
// found so is looked at once more with all freedom.
func (f *fitter) orLesser(ctx context.Context, own *tflite.Model) error {
	if f.goal.alone || !f.goal.Alias.Overlaps() || f.done() || f.report.Interrupted {
		return nil
	}
	levels := f.goal.Alias.UpTo()
	goal := *f.goal
	goal.Alias, goal.plainly, goal.costs = levels[len(levels)-2], true, f.costs
	r, err := Fit(ctx, own, goal)
	if err != nil {
		return err
	}
	f.report.Interrupted = r.Interrupted
	if !f.prefers(&r.Rungs[r.Best], f.best()) {
		return nil
	}
	f.report.Rungs = r.Rungs
	return f.again(ctx)
}
