package fit

import (
	"context"

	"github.com/tflarena/tflarena/tflite"
)

// orLeast looks for the least head of a model where a budget of the head is not met, so that no such
// budget fails that the least head is within: the two searches go different ways.
func (f *fitter) orLeast(ctx context.Context, own *tflite.Model) error {
	if f.goal.Head == 0 || f.done() || f.report.Interrupted {
		return nil
	}
	goal := *f.goal
	goal.Head, goal.Arena, goal.plainly, goal.alone, goal.costs = 0, 0, true, true, f.costs
	r, err := Fit(ctx, own, goal)
	if err != nil {
		return err
	}
	f.report.Interrupted = r.Interrupted
	best := &r.Rungs[r.Best]
	switch {
	case !f.goal.met(best):
	case f.goal.Arena > 0 || best.Smallest <= f.report.Rungs[0].Smallest:
		f.report.Rungs = append(f.standingRungs(), *best)
	case f.report.Larger == nil:
		f.report.Larger = best
	}
	return nil
}

// standingRungs returns the rungs that every ladder begins with.
func (f *fitter) standingRungs() []Rung {
	n := 1
	if len(f.report.Rungs) > n && f.report.Rungs[n].Name == withoutPlan {
		n++
	}
	return f.report.Rungs[:n:n]
}
