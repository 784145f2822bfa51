package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/exp/slices"

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
// arena no larger. When ctx ends it
// returns the best until then, or ctx.Err() where there is nothing yet.
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
	for _, step := range []func(context.Context) error{f.plan, f.order, f.cleanUp, f.patch, f.orderPieces, f.alias} {
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
	// pending is a rung that is only worth its while with outputs that take over inputs.
	pending *Rung
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
	r, err := f.measure(ctx, "plan", f.model, rules.NoAlias)
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
	r, err := f.measure(ctx, "order", m, rules.NoAlias)
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
	r, err := f.measure(ctx, "clean-up", m, rules.NoAlias)
	if err != nil {
		return err
	}
	r.Removed = len(idle)
	if !f.keep(r, m) && r.Head <= f.best().Head {
		f.model = m
	}
	return nil
}

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
	row := newRow(v)
	searching, cancel := partly(ctx)
	defer cancel()
	points := frontier(row.edges(searching, f.goal.Head, f.goal.Progress), len(row.breadth))
	f.report.Interrupted = searching.Err() != nil
	for _, p := range points {
		f.report.Frontier = append(f.report.Frontier, Estimate{p.peak, p.tail, p.macs, p.stages()})
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	chosen, err := f.choosePoint(ctx, row, points)
	if err != nil || chosen == nil {
		return err
	}
	// The ladder shows what the pieces do by themselves; outputs that take over inputs are
	// the next step.
	r, err := f.measure(ctx, "patches", chosen.model, rules.NoAlias)
	if err != nil {
		return err
	}
	r.ExtraMACs, r.Stages = chosen.macs, chosen.stages()
	if !f.keep(r, chosen.model) && f.aliases() {
		f.model, f.pending = chosen.model, r
	}
	return nil
}

// orderPieces looks for another order once more: what comes piece by piece need not come
// in the order of the pieces.
func (f *fitter) orderPieces(ctx context.Context) error {
	if len(f.best().Stages) == 0 {
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
	return context.WithTimeout(ctx, time.Until(deadline)*6/10)
}

// A built is a path with the model that it leads to.
type built struct {
	*point
	model *tflite.Model
	rung  *Rung
}

// choosePoint builds paths until one meets the goal, and returns that, or the one of the
// smallest head; nil where none is better than what there is.
func (f *fitter) choosePoint(ctx context.Context, row *row, points []point) (*built, error) {
	var best *built
	list := f.promising(points)
	for k, p := range list {
		if ctx.Err() != nil || f.least() && best != nil && best.rung.Head <= p.peak {
			break
		}
		m, err := row.cut(&p, f.goal.Force)
		if refused := (*rewrite.RefusedError)(nil); errors.As(err, &refused) {
			f.report.Left = refused.Error()
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("cut %v: %w", p.stages(), err)
		}
		if hope := best != nil || k+1 < len(list); !f.least() && hope && !f.mayMeet(ctx, m) {
			continue
		}
		r, err := f.measure(ctx, "patches", m, f.goal.Alias)
		if err != nil {
			if ctx.Err() != nil {
				break
			}
			return nil, err
		}
		if better := best == nil || r.Head < best.rung.Head; better && r.Head < f.best().Head && (f.least() || r.Arena <= f.best().Arena) {
			best = &built{&p, m, r}
		}
		if f.goal.met(r) {
			return &built{&p, m, r}, nil
		}
	}
	return best, nil
}

// aliases reports whether outputs may take over inputs.
func (f *fitter) aliases() bool { return f.goal.Alias != rules.NoAlias && f.goal.Alias != "" }

// Of the files that are built: how many there are at most, and what part of a peak, in
// percent, outputs that take over inputs may save.
const (
	tries     = 24
	nearest   = 3 // where there is none, or none that meets it
	aliasGain = 15
)

// promising returns the points that may meet the goal, the cheapest first; without a
// budget those of the smallest head.
func (f *fitter) promising(points []point) (list []point) {
	g, best := f.goal, f.best()
	var beyond []point
	for _, p := range points {
		arena := max(p.peak, best.Planning) + best.Tail + p.tail
		if gain := p.peak * aliasGain / 100; f.aliases() && p.peak > g.Head {
			p.peak, arena = p.peak-gain, arena-gain
			p.hopeful = true
		}
		switch {
		case len(p.stages()) == 0 || p.peak >= best.Head || arena > best.Arena && !f.least():
		case g.MaxOverhead >= 0 && float64(p.macs) > g.MaxOverhead*float64(f.report.OwnMACs):
		case g.Head > 0 && p.peak > g.Head || g.Arena > 0 && arena > g.Arena:
			beyond = append(beyond, p)
		default:
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		return f.closest(beyond)
	}
	switch {
	case g.Arena > 0: // which bounds the tail
		slices.SortStableFunc(list, func(a, b point) int {
			return cmp.Or(cmp.Compare(a.macs, b.macs), cmp.Compare(a.tail, b.tail), cmp.Compare(a.peak, b.peak))
		})
	case g.Head > 0:
		slices.SortStableFunc(list, func(a, b point) int {
			return cmp.Or(cmp.Compare(f.growth(a), f.growth(b)), cmp.Compare(a.peak, b.peak))
		})
	default: // the first is the best, unless its plan is not
		slices.Reverse(list)
		return list[:min(len(list), nearest)]
	}
	return likely(list)
}

// closest returns the points that come closest to a goal that none meets.
func (f *fitter) closest(points []point) []point {
	slices.SortStableFunc(points, func(a, b point) int {
		if f.goal.Arena > 0 {
			return cmp.Or(cmp.Compare(a.peak+a.tail, b.peak+b.tail), cmp.Compare(a.peak, b.peak))
		}
		return cmp.Compare(a.peak, b.peak)
	})
	return points[:min(len(points), nearest)]
}

// likely takes the first points of a list: half of them may be such that only meet the
// goal when outputs take over inputs.
func likely(list []point) (kept []point) {
	hopeful := 0
	for _, p := range list {
		if p.hopeful {
			hopeful++
		}
		if len(kept) < tries && (!p.hopeful || hopeful <= tries/2) {
			kept = append(kept, p)
		}
	}
	return kept
}

// growth is what a path adds to the work of the model and to what it keeps in memory,
// each as a part of what there was.
func (f *fitter) growth(p point) float64 {
	own := f.report.Rungs[0]
	return float64(p.macs)/float64(max(f.report.OwnMACs, 1)) + float64(p.tail)/float64(max(own.Arena, 1))
}

// alias lets outputs take over inputs.
func (f *fitter) alias(ctx context.Context) error {
	if !f.aliases() {
		return nil
	}
	r, err := f.measure(ctx, "aliases", f.model, f.goal.Alias)
	if err != nil {
		return err
	}
	if f.pending != nil {
		r.ExtraMACs, r.Stages = f.pending.ExtraMACs, f.pending.Stages
	}
	f.keep(r, f.model)
	return nil
}
