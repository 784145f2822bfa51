package fit

import (
	"context"
	"math"

	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/verify"
	"github.com/tflarena/tflarena/tflite"
)

// start makes the first rung: the model as it is, with the memory plan that it carries where
// the runtime can follow that. A plan of another tool stays, unless that is forced, and a plan
// that is broken goes.
func (f *fitter) start(ctx context.Context) error {
	f.room = f.roomFor()
	if plan := carried(f.model); plan != nil {
		if own, err := f.rung(ctx, "as it is", f.model, nil, plan.Offsets, 0); err == nil {
			f.stand(own)
			return f.judge(ctx, plan)
		} // else the runtime refuses the plan, which is nobody's then
	}
	own, err := f.rung(ctx, "as it is", f.model, nil, nil, 0)
	if err == nil {
		f.stand(own)
	}
	return err
}

// roomFor returns the arena that is no loss: any where the least head is looked for, and the
// budget where there is one for the head too.
func (f *fitter) roomFor() int64 {
	switch {
	case f.least():
		return math.MaxInt64
	case f.goal.Head > 0:
		return f.goal.Arena
	}
	return 0
}

// stand makes a rung the first.
func (f *fitter) stand(own *Rung) {
	own.FileBytes = int64(len(f.model.Data))
	f.report.Rungs = []Rung{*own}
}

// carried returns the plan of a model that the runtime reads, nil where there is none.
func carried(m *tflite.Model) *rewrite.Plan {
	plans, err := rewrite.ReadPlans(m)
	if err != nil || len(plans) == 0 {
		return nil
	}
	return &plans[len(plans)-1]
}

// judge decides what becomes of the plan that the model carries.
func (f *fitter) judge(ctx context.Context, plan *rewrite.Plan) error {
	v, err := verify.Plan(f.model)
	if err == nil && !v.OK() {
		return f.without(ctx)
	}
	f.report.Foreign = plan.Foreign(f.model, v.Aliases())
	return nil
}

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
	rung, err := f.rung(ctx, "no plan", m, r.Data, nil, 0)
	if err != nil {
		return err
	}
	f.report.Rungs, f.model = append(f.report.Rungs, *rung), m
	return nil
}
