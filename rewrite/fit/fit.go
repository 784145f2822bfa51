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

// Fit goes up the ladder until the model is within the goal: a memory plan, another order
// of the operators, operators left out that compute nothing, runs of operators in pieces,
// and outputs that take over inputs. Each step is measured on the file that it makes, and
// kept only where it makes the head smaller, and the arena no larger, unless the least head
// is looked for, or one within an arena that may be larger.
//
// Where nothing else meets a budget, the least head is looked for, too: no budget fails that the least
// head, and its arena, are within, unless ctx ends before. For a budget of the arena alone, that is left
// out where estimates say that the least head takes a larger arena. Budgets of the head and of the arena
// that nothing meets together are tried with tiles of different sizes.
//
// A memory plan that the model carries counts, and one of another tool stays unless
// [Goal.Force] is set. What may share memory is also looked for without, so that more
// freedom never ends worse, and the least head is looked for until a further search of the
// outcome finds nothing. When ctx has a deadline, rounds of ever more work take all of the
// time, and the best of them counts. When ctx ends Fit returns the best until then, which is the
// model as it is where there is nothing yet, and [Report.Interrupted] says so.
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

// finish says in the report what was found.
func (f *fitter) finish(own *tflite.Model) error {
	f.report.Best = len(f.report.Rungs) - 1
	if f.report.Met = f.goal.met(f.best()); f.report.Met {
		f.report.Larger = nil // which an earlier round had
	}
	return f.describe(own)
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
	// finest says that stages are tried as finely as for the least head.
	finest bool
	// uneven says that tiles of different sizes are tried, too.
	uneven bool
	// plain is the best that was found without takeovers, nil where none are asked for.
	plain *fitter
	// bounded says that a search ended by a bound on its work.
	bounded bool
	// aliased is what model comes to with outputs that take over inputs, nil where that is
	// not known yet.
	aliased *Rung
	// built are the files that were built, by what they were built of.
	built map[string]*attempt
	// costs is what stages cost, and rounds what was found for a budget, nil where the model is
	// looked into for one budget only.
	costs  *ledger
	rounds map[sought]*fitter
	// tail is what the runtime keeps for good of model, and setup the required arena that
	// would do for it if nothing had to be planned, in bytes.
	tail, setup int64
	// room is an arena in bytes that is no loss, even where there is a smaller one.
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

// A ledger keeps what stages of the first model cost that it is asked about: searches for other
// goals begin with the same one.
type ledger struct {
	data  []byte
	costs *parts.Memo
}

// of returns what stages of a model cost, nil where it is another one.
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

// least reports whether the least head is looked for, whatever the arena.
func (f *fitter) least() bool { return f.goal.HeadBudget == 0 && f.goal.Budget == 0 }

// aliases reports whether outputs may take over inputs.
func (f *fitter) aliases() bool { return f.goal.Alias != rules.NoAlias && f.goal.Alias != "" }

// work returns how much of some work is done, of which n is done without a deadline: one at
// least.
func (f *fitter) work(n int) int { return max(1, int(f.scale*float64(n))) }
