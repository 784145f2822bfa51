package fit

import (
	"context"

	"github.com/tflarena/tflarena/tflite"
)

// orLesser repeats the search at a lower --alias level if the goal permits overlaps, and takes
// a better result: with overlaps the search takes another path and may end worse. The result is
// searched once more at the goal's level.
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
