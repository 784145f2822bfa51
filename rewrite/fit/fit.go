package fit

import (
	"cmp"
	"context"
	"errors"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/order"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/cleanup"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/rewrite/reorder"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// Fit goes up the ladder until the model is within the goal: a memory plan, another order
// of the operators, operators left out that compute nothing, runs of operators in pieces,
// and outputs that take over inputs. Each step is measured on the file that it makes, and
// kept only where it makes the head smaller, and the arena no larger, unless the least head
// is looked for, or one within an arena that may be larger.
//
// A memory plan that the model carries counts, and one of another tool stays unless
// [Goal.Force] is set. What may share memory is also looked for without, so that more
// freedom never ends worse, and the least head is looked for until a further search of the
// outcome finds nothing. When ctx has a deadline, rounds of ever more work take all of the
// time, and the best of them counts. When ctx ends Fit returns the best until then, or
// ctx.Err() where there is nothing yet.
func Fit(ctx context.Context, m *tflite.Model, g Goal) (*Report, error) {
	if len(m.Subgraphs) == 0 {
		return nil, errors.New("the model has no subgraph")
	}
	f := newFitter(m, g)
	if err := f.start(ctx); err != nil {
		return nil, err
	}
	if f.report.Foreign == "" || g.Force {
		if err := f.run(ctx); err != nil {
			return nil, err
		}
	}
	f.report.Best = len(f.report.Rungs) - 1
	f.report.Met = g.met(f.best())
	return f.report, f.describe(m)
}

// run looks for what meets the goal, and for the least head until there is nothing left to
// find: with little freedom, it says what more may gain.
func (f *fitter) run(ctx context.Context) error {
	base, err := f.search(ctx)
	if err != nil {
		return err
	}
	if err := f.suggest(ctx, base); err != nil {
		return err
	}
	if err := f.again(ctx); err != nil {
		return err
	}
	return f.againPlain(ctx)
}

// fitter is one run of [Fit]. model is what the steps so far made of it, without a plan.
type fitter struct {
	goal   *Goal
	report *Report
	model  *tflite.Model
	// scale is how far the search goes, as a multiple of what it does without a deadline.
	scale float64
	// second says that this is a search of what another one found.
	second bool
	// plain is the best that was found without takeovers, nil where none are asked for.
	plain *fitter
	// bounded says that a search ended by a bound on its work.
	bounded bool
	// aliased is what model comes to with outputs that take over inputs, nil where that is
	// not known yet.
	aliased *Rung
	// taken are the files that were built, by what they were built of.
	taken map[string]*built
	// tail is what the runtime keeps for good of model, and setup the smallest arena that
	// would do for it if nothing had to be planned, in bytes.
	tail, setup int64
	// room is an arena in bytes that is no loss, even where there is a smaller one.
	room int64
}

func newFitter(m *tflite.Model, g Goal) *fitter {
	return &fitter{goal: &g, report: &Report{OwnMACs: op.RunMACs(m, 0)}, model: m, scale: 1, taken: map[string]*built{}}
}

func (f *fitter) best() *Rung { return &f.report.Rungs[len(f.report.Rungs)-1] }

func (f *fitter) done() bool { return f.goal.met(f.best()) }

// least reports whether the least head is looked for, whatever the arena.
func (f *fitter) least() bool { return f.goal.Head == 0 && f.goal.Arena == 0 }

// better reports whether a rung is a gain: no model is one that LiteRT gets wrong, unless it
// gets the model wrong as it is.
func (f *fitter) better(r *Rung) bool {
	return r.Head < f.best().Head && r.Smallest <= max(f.best().Smallest, f.room) && f.right(r)
}

func (f *fitter) right(r *Rung) bool { return !r.wrong || f.report.Rungs[0].wrong }

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

// work returns how much of some work is done, of which n is done without a deadline: one at
// least.
func (f *fitter) work(n int) int { return max(1, int(f.scale*float64(n))) }

// keep takes a rung that is better than the best so far, and the model behind it.
func (f *fitter) keep(r *Rung, m *tflite.Model) bool {
	if !f.better(r) {
		return false
	}
	b := f.best()
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
	r, err := f.measure(ctx, "plan", f.model, pin.Options{Alias: rules.NoAlias, Limit: f.goal.Head})
	if err == nil {
		f.keep(r, f.model)
	}
	return err
}

func (f *fitter) order(ctx context.Context) error {
	states := order.DefaultStates
	if slices.ContainsFunc(f.model.Subgraphs[0].Tensors, func(t tflite.Tensor) bool { return split.IsPiece(&t) }) {
		states = piecesStates
	}
	return f.reorder(ctx, rules.NoAlias, states)
}

// reorder looks for another order of the operators in a search of so many states.
func (f *fitter) reorder(ctx context.Context, alias rules.Alias, states int) error {
	v, err := micro(f.model)
	if err != nil {
		return err
	}
	choice, err := reorder.Choose(ctx, v, reorder.Options{
		Scratch: f.goal.Scratch(f.model), Alias: alias, LargerLiteRT: true, Own: f.best().Head, States: states,
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
	r, err := f.measure(ctx, "order", m, pin.Options{Alias: alias, Limit: f.goal.Head})
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
	r, err := f.measure(ctx, "clean-up", m, pin.Options{Alias: rules.NoAlias, Limit: f.goal.Head})
	if err != nil {
		return err
	}
	r.Removed = len(idle)
	if !f.keep(r, m) && r.Head <= f.best().Head && f.right(r) {
		f.model = m
	}
	return nil
}

// piecesStates is how many states the search for an order of pieces finds, of which there are
// many: some seconds.
const piecesStates = 10_000

// orderPieces looks for another order once more: what comes piece by piece need not come
// in the order of the pieces. Of takeovers it knows those of tensors of one size.
func (f *fitter) orderPieces(ctx context.Context) error {
	if len(f.best().Stages) == 0 {
		return nil
	}
	return f.reorder(ctx, cmp.Or(f.goal.Alias, rules.NoAlias), f.work(piecesStates))
}

// aliases reports whether outputs may take over inputs.
func (f *fitter) aliases() bool { return f.goal.Alias != rules.NoAlias && f.goal.Alias != "" }

// alias lets outputs take over inputs.
func (f *fitter) alias(ctx context.Context) error {
	if !f.aliases() {
		return nil
	}
	if f.aliased == nil {
		r, err := f.measure(ctx, "aliases", f.model, pin.Options{Alias: f.goal.Alias, Limit: f.goal.Head, Below: f.best().Head})
		if err != nil {
			return err
		}
		f.aliased = r
	}
	f.keep(f.aliased, f.model)
	return nil
}
