package fit

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/tflarena/tflarena/lifetime/order"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/cleanup"
	"github.com/tflarena/tflarena/rewrite/reorder"
	"github.com/tflarena/tflarena/tflite"
)

// Fit goes up the ladder until the model is within the goal: a memory plan, another order
// of the operators, operators left out that compute nothing, runs of operators in pieces,
// and outputs that take over inputs. Each step is measured on the file that it makes, and
// kept only where it makes the head smaller, and, unless the least head is looked for, the
// arena no larger. When ctx ends it returns the best until then, or ctx.Err() where there
// is nothing yet.
func Fit(ctx context.Context, m *tflite.Model, g Goal) (*Report, error) {
	if len(m.Subgraphs) == 0 {
		return nil, errors.New("the model has no subgraph")
	}
	f := &fitter{goal: &g, report: &Report{OwnMACs: macs(m)}, model: m}
	own, err := f.rung(ctx, "as it is", m, nil, nil, 0)
	if err != nil {
		return nil, err
	}
	own.FileBytes = int64(len(m.Data))
	f.report.Rungs = []Rung{*own}
	for _, step := range []func(context.Context) error{f.plan, f.order, f.cleanUp, f.patch, f.alias, f.orderPieces} {
		if f.done() {
			break
		}
		if err := step(ctx); err != nil {
			if ctx.Err() == nil {
				return nil, err
			}
			f.report.Interrupted = true
			break
		}
	}
	f.report.Best = len(f.report.Rungs) - 1
	f.report.Met = g.met(f.best())
	return f.report, f.describe(m)
}

// fitter is one run of [Fit]. model is what the steps so far made of it, without a plan.
type fitter struct {
	goal   *Goal
	report *Report
	model  *tflite.Model
	// aliased is what model comes to with outputs that take over inputs, nil where that is
	// not known yet.
	aliased *Rung
	// tail is what the runtime keeps for good of model, an estimate in bytes.
	tail int64
}

func (f *fitter) best() *Rung { return &f.report.Rungs[len(f.report.Rungs)-1] }

func (f *fitter) done() bool { return f.goal.met(f.best()) }

// least reports whether the least head is looked for, whatever the arena.
func (f *fitter) least() bool { return f.goal.Head == 0 && f.goal.Arena == 0 }

// keep takes a rung that is better than the best so far, and the model behind it.
func (f *fitter) keep(r *Rung, m *tflite.Model) bool {
	b := f.best()
	if r.Head >= b.Head || r.Arena > b.Arena && !f.least() {
		return false
	}
	r.ExtraMACs = cmp.Or(r.ExtraMACs, b.ExtraMACs)
	r.Moved, r.Removed = r.Moved+b.Moved, r.Removed+b.Removed
	if r.Stages == nil {
		r.Stages = b.Stages
	}
	f.report.Rungs = append(f.report.Rungs, *r)
	f.model = m
	return true
}

func (f *fitter) plan(ctx context.Context) error {
	r, err := f.measure(ctx, "plan", f.model, rules.NoAlias, f.goal.Head)
	if err == nil {
		f.keep(r, f.model)
	}
	return err
}

func (f *fitter) order(ctx context.Context) error {
	v, err := micro(f.model)
	if err != nil {
		return err
	}
	choice, err := reorder.Choose(ctx, v, reorder.Options{Scratch: f.goal.Scratch(f.model), IgnoreLiteRT: true})
	if disorder := (*order.DisorderError)(nil); errors.As(err, &disorder) {
		return nil
	}
	if err != nil || !choice.Gains() {
		return err
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
	r, err := f.measure(ctx, "order", m, rules.NoAlias, f.goal.Head)
	if err == nil {
		r.Moved = reorder.Moved(choice.Orders)
		f.keep(r, m)
	}
	return err
}

// cleanUp leaves operators out that compute nothing. The steps behind it go on without
// them even where they gain nothing by themselves.
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
	r, err := f.measure(ctx, "clean-up", m, rules.NoAlias, f.goal.Head)
	if err != nil {
		return err
	}
	r.Removed = len(idle)
	if !f.keep(r, m) && r.Head <= f.best().Head {
		f.model = m
	}
	return nil
}

// finest is how many paths, those of the least peaks, have their stages tried as finely as
// there are any where the least head is looked for.
const finest = 3

// patch cuts runs of operators into pieces.
func (f *fitter) patch(ctx context.Context) error {
	v, err := micro(f.model)
	if err != nil {
		return err
	}
	if !straight(v) {
		f.report.Left = "its operators call other subgraphs"
		return nil
	}
	row := newRow(v, f.goal.Alias, f.goal.Scratch(f.model))
	row.target = f.goal.Target
	if err := f.standing(ctx); err != nil {
		return err
	}
	row.fine = f.fine()
	searching, cancel := partly(ctx)
	defer cancel()
	edges := row.edges(searching, f.goal.Head, f.goal.Progress)
	points := frontier(edges, len(row.breadth))
	if f.least() {
		edges = append(edges, row.refined(searching, points[max(len(points)-finest, 0):])...)
		points = frontier(edges, len(row.breadth))
	}
	for _, p := range points {
		f.report.Frontier = append(f.report.Frontier, Estimate{p.peak, p.tail, p.macs, p.stages()})
	}
	routing, cancel := partly(ctx)
	defer cancel()
	c := &choice{fitter: f, ctx: ctx, searching: routing, row: row, known: newProspects(edges), list: f.promising(points)}
	chosen, err := c.choose()
	f.report.Interrupted = searching.Err() != nil || routing.Err() != nil
	if err != nil || chosen == nil {
		return err
	}
	chosen.rung.ExtraMACs, chosen.rung.Stages = chosen.macs, chosen.stages()
	if !f.aliases() {
		f.keep(chosen.rung, chosen.model)
		return nil
	}
	return f.patchAliased(ctx, chosen)
}

// standing notes the tail of the model that is to be cut.
func (f *fitter) standing(ctx context.Context) error {
	r, err := f.rung(ctx, "", f.model, nil, nil, 0)
	if err == nil {
		f.tail = r.Tail
	}
	return err
}

// fine returns a peak in bytes at which no finer stage is worth a try: below the budget, as
// plans in which tensors share memory do not always come down to the peak, and as what a
// stage keeps in memory is not known before.
func (f *fitter) fine() int64 {
	head, parts := f.goal.Head, int64(15)
	if f.goal.Arena > 0 {
		head, parts = f.goal.Arena-f.tail, 8
	} else if f.aliases() {
		parts = 12
	}
	return max(head, 0) / 16 * parts
}

// patchAliased shows on the ladder what the pieces do by themselves; outputs that take over
// inputs are the next step. Where ctx ends in between, only that step is shown.
func (f *fitter) patchAliased(ctx context.Context, chosen *built) error {
	chosen.rung.Name = "aliases"
	r, err := f.measure(ctx, "patches", chosen.model, rules.NoAlias, f.goal.Head)
	if err != nil {
		if ctx.Err() != nil {
			f.keep(chosen.rung, chosen.model)
		}
		return err
	}
	r.ExtraMACs, r.Stages = chosen.rung.ExtraMACs, chosen.rung.Stages
	f.keep(r, chosen.model)
	f.aliased, f.model = chosen.rung, chosen.model
	return nil
}

// orderPieces looks for another order once more: what comes piece by piece need not come
// in the order of the pieces. It goes by what the runtime needs without takeovers.
func (f *fitter) orderPieces(ctx context.Context) error {
	if len(f.best().Stages) == 0 || f.aliases() {
		return nil
	}
	return f.order(ctx)
}

// partly returns a context that ends when most of the time is over that ctx leaves: what is
// found until then has to be built.
func partly(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(deadline)*5/10)
}

// aliases reports whether outputs may take over inputs.
func (f *fitter) aliases() bool { return f.goal.Alias != rules.NoAlias && f.goal.Alias != "" }

// alias lets outputs take over inputs.
func (f *fitter) alias(ctx context.Context) error {
	if !f.aliases() {
		return nil
	}
	if f.aliased == nil {
		r, err := f.measure(ctx, "aliases", f.model, f.goal.Alias, f.goal.Head)
		if err != nil {
			return err
		}
		f.aliased = r
	}
	f.keep(f.aliased, f.model)
	return nil
}
