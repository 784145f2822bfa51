package fit

import (
	"cmp"
	"context"
	"errors"

	"github.com/tflarena/tflarena/lifetime/order"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/rewrite/cleanup"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/rewrite/reorder"
	"github.com/tflarena/tflarena/tflite"
)

// step takes the next step of the ladder. Its error is ctx.Err() if ctx ended it.
type step func(context.Context) error

// climb takes steps until the goal is met or ctx ends.
func (f *fitter) climb(ctx context.Context, steps ...step) error {
	for _, step := range steps {
		if f.done() {
			return nil
		}
		err := step(ctx)
		if ctx.Err() != nil {
			f.report.Interrupted = true
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// plan searches for a memory plan.
func (f *fitter) plan(ctx context.Context) error {
	r, err := f.measure(ctx, "plan", f.model, pin.Options{Alias: rules.NoAlias, Limit: f.goal.HeadBudget})
	if err == nil {
		f.keep(r, f.model)
	}
	return err
}

// order searches for another order of the operators.
func (f *fitter) order(ctx context.Context) error {
	states := order.DefaultStates
	if len(blocks.Of(f.model).Blocks) > 0 {
		states = piecesStates
	}
	return f.reorder(ctx, rules.NoAlias, states)
}

// reorder takes another order of the operators, found by a search of at most the given number
// of states.
func (f *fitter) reorder(ctx context.Context, alias rules.Alias, states int) error {
	v, err := f.micro(f.model)
	if err != nil {
		return err
	}
	choice, err := reorder.Choose(ctx, v, reorder.Options{
		Scratch: f.goal.Device.Requests(f.model), Alias: alias, LargerLiteRT: true, Own: f.best().Head, States: states,
	})
	if disorder := (*order.DisorderError)(nil); errors.As(err, &disorder) {
		return nil
	}
	if err != nil {
		return err
	}
	f.bounded = f.bounded || !choice.Proven()
	if !choice.Gains() {
		return nil
	}
	result, err := rewrite.Reorder(f.model, choice.Orders, rewrite.Options{Force: f.goal.Force})
	if refused := (*rewrite.RefusedError)(nil); errors.As(err, &refused) {
		return nil
	}
	if err != nil {
		return err
	}
	m, err := tflite.Parse(result.Data, f.model.Name)
	if err != nil {
		return err
	}
	r, err := f.measure(ctx, "order", m, pin.Options{Alias: alias, Limit: f.goal.HeadBudget})
	if err == nil {
		r.Moved = reorder.Moved(choice.Orders)
		f.keep(r, m)
	}
	return err
}

// cleanUp removes operators that compute nothing. Later steps continue without them even if the
// removal alone gains nothing.
func (f *fitter) cleanUp(ctx context.Context) error {
	idle := cleanup.Find(f.model, 0)
	if len(idle) == 0 {
		return nil
	}
	m, err := apply(f.model, cleanup.Edit(f.model, 0, idle), f.goal.Force)
	if refused := (*rewrite.RefusedError)(nil); errors.As(err, &refused) {
		return nil
	}
	if err != nil {
		return err
	}
	r, err := f.measure(ctx, "clean-up", m, pin.Options{Alias: rules.NoAlias, Limit: f.goal.HeadBudget})
	if err != nil {
		return err
	}
	r.Removed = len(idle)
	if !f.keep(r, m) && r.Head <= f.best().Head && f.right(r) {
		f.model = m
	}
	return nil
}

// aliasUncut permits in-place outputs in the untiled model if that meets a budget: it adds no
// operator. Otherwise tiling starts from the model without them.
func (f *fitter) aliasUncut(ctx context.Context) error {
	if !f.aliases() || f.least() {
		return nil
	}
	r, err := f.measureAliases(ctx)
	if err != nil {
		return err
	}
	if f.aliased = r; f.goal.met(r) {
		f.keep(r, f.model)
	}
	return nil
}

// piecesStates is the maximum number of states in the search for an order of tiled operators:
// some seconds.
const piecesStates = 10_000

// orderPieces searches for another order of the tiled model: operators need not run tile by
// tile. It considers in-place outputs of equal size only.
func (f *fitter) orderPieces(ctx context.Context) error {
	if len(f.best().Stages) == 0 {
		return nil
	}
	return f.reorder(ctx, cmp.Or(f.goal.Alias, rules.NoAlias), f.work(piecesStates))
}

// alias permits in-place outputs.
func (f *fitter) alias(ctx context.Context) error {
	if !f.aliases() {
		return nil
	}
	if f.aliased == nil {
		r, err := f.measureAliases(ctx)
		if err != nil {
			return err
		}
		f.aliased = r
	}
	f.keep(f.aliased, f.model)
	return nil
}

// measureAliases returns the model's rung with in-place outputs.
func (f *fitter) measureAliases(ctx context.Context) (*Rung, error) {
	return f.measure(ctx, "aliases", f.model, pin.Options{Alias: f.goal.Alias, Limit: f.goal.HeadBudget, Below: f.best().Head})
}
