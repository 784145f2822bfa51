package fit

import (
	"context"
	"math"

	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// start makes the first rung: the unmodified model, with its embedded plan if the runtime can
// follow it. Another tool's plan stays unless forced, and a broken plan is removed.
func (f *fitter) start(ctx context.Context) error {
	f.room = f.roomFor()
	carried, err := embedded.Follow(context.WithoutCancel(ctx), f.goal.Device, f.model, f.goal.Device.Kernels)
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

// roomFor returns the acceptable arena: any for the smallest head, the arena budget with a head
// budget, otherwise none.
func (f *fitter) roomFor() int64 {
	switch {
	case f.least():
		return math.MaxInt64
	case f.goal.HeadBudget > 0:
		return f.goal.Budget
	}
	return 0
}

// withoutPlan is the name of the rung without a broken plan.
const withoutPlan = "no plan"

// without removes a broken plan regardless of the resulting head: the head with the broken plan
// may be impossible.
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
