package fit

import (
	"bytes"
	"context"
	"errors"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// Fit takes the steps of the ladder until the model is within the goal: a memory plan, another
// operator order, removal of operators that compute nothing, tiling of runs of operators, and
// in-place outputs. Each step is measured on the file it makes and kept only if it reduces the
// head and does not grow the arena. The arena may grow if Fit searches for the smallest head or
// within an arena budget that permits it.
//
// If nothing else meets a budget, Fit also searches for the smallest head: no budget is missed
// that the smallest head and its arena meet, unless ctx ends before. For an arena budget alone,
// this search is skipped if estimates show that the smallest head needs a larger arena. If the
// head and arena budgets are not met together, tiles of different sizes are tried.
//
// An embedded memory plan counts, and another tool's plan stays unless [Goal.Force] is set.
// Permitted sharing of memory is also searched without, so that more freedom never gives a
// worse result. The search for the smallest head is repeated on its result until nothing more
// is found. If ctx has a deadline, rounds with increasing work use all of the time, and the
// best result counts. When ctx ends, Fit returns the best result so far, or the unmodified
// model, and sets [Report.Interrupted].
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
		if err := f.orLeast(ctx, m); err != nil {
			return nil, err
		}
		if err := f.orLesser(ctx, m); err != nil {
			return nil, err
		}
		if err := f.orUneven(ctx, m); err != nil {
			return nil, err
		}
	}
	return f.report, f.finish(m)
}

// finish completes the report.
func (f *fitter) finish(own *tflite.Model) error {
	f.report.Best = len(f.report.Rungs) - 1
	if f.report.Met = f.goal.met(f.best()); f.report.Met {
		f.report.Larger = nil // may be left from an earlier round
	}
	return f.describe(own)
}

// run searches for a model within the goal, or for the smallest head until nothing more is
// found. Then it suggests more freedom that may gain something.
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

// fitter is one run of [Fit]. model is the result of the steps so far, without a plan.
type fitter struct {
	goal   *Goal
	report *Report
	model  *tflite.Model
	// scale is the search effort, as a multiple of that without a deadline.
	scale float64
	// second marks a search on the result of another search.
	second bool
	// finest tries stages as finely as for the smallest head.
	finest bool
	// uneven also tries tiles of different sizes.
	uneven bool
	// plain is the best search without in-place outputs, nil if none are permitted.
	plain *fitter
	// bounded reports that a search ended by a bound on its work.
	bounded bool
	// aliased is the rung of model with in-place outputs, or nil if not measured.
	aliased *Rung
	// built caches the files built, by their inputs.
	built map[string]*attempt
	// costs caches the costs of stages. rounds caches results by budget, nil if there is only
	// one budget.
	costs  *ledger
	rounds map[sought]*fitter
	// tail is the persistent memory of model; setup is the arena that it would require if
	// nothing had to be planned. Both are in bytes.
	tail, setup int64
	// room is an arena size in bytes that is acceptable even if a smaller one exists.
	room int64
}

func newFitter(m *tflite.Model, g Goal) *fitter {
	f := &fitter{goal: &g, report: &Report{Faults: g.Device.Rules().Faults(m), OwnMACs: op.RunMACs(m, 0)}, model: m, scale: 1, built: map[string]*attempt{}, costs: g.costs}
	if f.costs == nil {
		f.costs = &ledger{}
	}
	f.report.costs = f.costs
	return f
}

// ledger caches the costs of stages of the first model it is used for: searches for other goals
// begin with the same one.
type ledger struct {
	data  []byte
	costs *parts.Memo
}

// of returns the cached costs for a model, nil if it is another one.
func (l *ledger) of(m *tflite.Model) *parts.Memo {
	if l.costs == nil {
		l.data, l.costs = m.Data, parts.NewMemo()
	}
	if !bytes.Equal(l.data, m.Data) {
		return nil
	}
	return l.costs
}

func (f *fitter) best() *Rung { return &f.report.Rungs[len(f.report.Rungs)-1] }

func (f *fitter) done() bool { return f.goal.met(f.best()) }

// least reports whether the goal is the smallest head, regardless of the arena.
func (f *fitter) least() bool { return f.goal.HeadBudget == 0 && f.goal.Budget == 0 }

// aliases reports whether in-place outputs are permitted.
func (f *fitter) aliases() bool { return f.goal.Alias != rules.NoAlias && f.goal.Alias != "" }

// work scales an amount of work without a deadline, n, to the search effort; the result is at
// least one.
func (f *fitter) work(n int) int { return max(1, int(f.scale*float64(n))) }
