package fit

import (
	"context"
	"math"

	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// start makes the first rung: the model as it is, with the memory plan that it carries where
// the runtime can follow that. A plan of another tool stays, unless that is forced, and a plan
// that is broken goes.
func (f *fitter) start(ctx context.Context) error {
	f.room = f.roomFor()
	carried, err := embedded.Follow(context.WithoutCancel(ctx), f.goal.Device.Rules(), f.model, f.goal.Device.Requests(f.model), f.goal.Device.Kernels)
	if err != nil {
		return err
	}
	own := f.rungOf("as it is", f.model, carried.Outcome)
	own.FileBytes = int64(len(f.model.Data))
	f.report.Rungs = []Rung{*own}
	if kind, _ := carried.Trouble(f.model); kind == embedded.Broken {
		return f.without(ctx)
	}
	f.report.Foreign = carried.Foreign(f.model)
	return nil
}

// roomFor returns the arena that is no loss: any where the least head is looked for, and the
// budget where there is one for the head too.
func (f *fitter) roomFor() int64 {
	switch {
	case f.least():
		return math.MaxInt64
	case f.goal.HeadBudget > 0:
		return f.goal.Budget
	}
	return 0
}

// withoutPlan is the name of the rung that a broken plan is taken out of.
const withoutPlan = "no plan"

// without takes a broken plan out, whatever head it comes to: what is as small as the model
// is with it may not be possible.
func (f *fitter) without(ctx context.Context) error {
	r, err := rewrite.Remove(f.model, rewrite.Options{Force: f.goal.Force})
	if err != nil {
		return err
	}
	m, err := tflite.Parse(r.Data, f.model.Name)
	if err != nil {
		return err
	}
	rung, err := f.rung(ctx, withoutPlan, m, r.Data, nil, 0)
	if err != nil {
		return err
	}
	f.report.Rungs, f.model = append(f.report.Rungs, *rung), m
	return nil
}
