package fit

import (
	"bytes"
	"context"
	"math"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/expiry"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/verify"
	"github.com/tflarena/tflarena/tflite"
)

// run fits a model, and fails the test where the outcome is no better than the model, or its
// plan is broken.
func run(t *testing.T, ctx context.Context, m *tflite.Model, g Goal) *Report {
	t.Helper()
	r, err := Fit(ctx, m, g)
	if err != nil {
		t.Fatalf("%s: %v", m.Name, err)
	}
	for k := 1; k < len(r.Rungs); k++ {
		if r.Rungs[k].Head >= r.Rungs[k-1].Head {
			t.Fatalf("%s: step %q is no gain over %q", m.Name, r.Rungs[k].Name, r.Rungs[k-1].Name)
		}
	}
	if data := r.Rungs[r.Best].Data; data != nil {
		out, err := tflite.Parse(data, m.Name)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := verify.Plan(out); err != nil || !v.OK() {
			t.Fatalf("%s: the plan is broken: %v %v", m.Name, v, err)
		}
	}
	return r
}

func (r *Report) head() int64 { return r.Rungs[r.Best].Head }

// shown returns a rung without its file.
func shown(r *Rung) Rung {
	s := *r
	s.Data = nil
	return s
}

// TestFitStopsAnywhere: whenever the time is over, Fit does little more, says so, and has
// something to show; and more time never ends worse.
func TestFitStopsAnywhere(t *testing.T) {
	const late = 60
	for seed, alias := range []rules.Alias{rules.NoAlias, rules.OverwriteAlias} {
		m := drawn(t, uint64(seed))
		last := int64(0)
		for looks := 0; looks < 3000; looks = 2*looks + 1 {
			ctx := expiry.New(looks)
			ctx.Limited = true
			g := goal()
			g.Alias = alias
			r := run(t, ctx, m, g)
			if ended := ctx.After() > 0; ended != r.Interrupted {
				t.Fatalf("%s %s: after %d looks: ended %v, interrupted %v", m.Name, alias, looks, ended, r.Interrupted)
			}
			if ctx.After() > late {
				t.Fatalf("%s %s: after %d looks: looked %d times more", m.Name, alias, looks, ctx.After())
			}
			if last > 0 && r.head() > last {
				t.Fatalf("%s %s: head %d after %d looks, %d before", m.Name, alias, r.head(), looks, last)
			}
			if last = r.head(); !r.Interrupted {
				break
			}
		}
	}
}

// TestMoreBudgetIsNoWorse: a budget above one that is met is met, too; within a larger arena that
// is for no more work, pieces that do less than the whole aside.
func TestMoreBudgetIsNoWorse(t *testing.T) {
	long(t)
	both, dear := 0, 0
	for seed := range uint64(6) {
		m := wide(t, seed)
		own := ownOf(t, m)
		for _, arena := range []bool{false, true} {
			met, least := false, int64(math.MaxInt64)
			for _, tenths := range []int64{5, 7, 9} {
				g := goal()
				if g.HeadBudget = own.Head * tenths / 10; arena {
					g.HeadBudget, g.Budget = 0, own.Required*tenths/10
				}
				r := run(t, t.Context(), m, g)
				work := max(r.Rungs[r.Best].ExtraMACs, 0)
				if met && !r.Met || arena && r.Met && work > least {
					t.Errorf("%s within %d of its head, %d of its arena: met %t for %d, within less %t for %d", m.Name, g.HeadBudget, g.Budget, r.Met, work, met, least)
				}
				if met {
					both++
				}
				if met = r.Met; met {
					least = work
					dear += int(min(work, 1))
				}
			}
		}
	}
	if both < 10 || dear < 3 {
		t.Errorf("%d budgets were met for which a smaller one was, %d at a price: too few to tell", both, dear)
	}
}

// TestMoreFreedomIsNoWorse: the least head is no larger with outputs that take over inputs,
// and a budget that is met without them is met with them, for no more work.
func TestMoreFreedomIsNoWorse(t *testing.T) {
	long(t)
	for seed := range uint64(3) {
		m := drawn(t, seed)
		least := run(t, t.Context(), m, goal())
		budget := goal()
		budget.HeadBudget = (least.Rungs[0].Head + least.head()) / 2
		met := run(t, t.Context(), m, budget)
		for _, alias := range []rules.Alias{rules.SafeAlias, rules.OverwriteAlias} {
			g := goal()
			g.Alias = alias
			if r := run(t, t.Context(), m, g); r.head() > least.head() {
				t.Errorf("%s: head %d with %s, %d without", m.Name, r.head(), alias, least.head())
			}
			budget.Alias = alias
			f := &fitter{goal: &budget, report: met}
			if r := run(t, t.Context(), m, budget); f.prefers(&met.Rungs[met.Best], &r.Rungs[r.Best]) {
				t.Errorf("%s: %+v with %s, %+v without", m.Name, shown(&r.Rungs[r.Best]), alias, shown(&met.Rungs[met.Best]))
			}
		}
	}
}

// TestOverlapsAreNoWorse: the least head is no larger with outputs that lie over parts of inputs, and a budget that
// is met without such overlaps is met with them.
func TestOverlapsAreNoWorse(t *testing.T) {
	long(t)
	for seed := range uint64(3) {
		m := drawn(t, seed)
		g := goal()
		g.Alias = rules.OverwriteAlias
		least := run(t, t.Context(), m, g)
		g.Alias = rules.DiagonalAlias
		if r := run(t, t.Context(), m, g); r.head() > least.head() {
			t.Errorf("%s: head %d with overlaps, %d without", m.Name, r.head(), least.head())
		}
		g.HeadBudget = least.head()
		if r := run(t, t.Context(), m, g); !r.Met && r.Larger == nil {
			t.Errorf("%s: head %d with overlaps, %d without", m.Name, r.head(), least.head())
		}
	}
}

// TestFitAgain: to fit what was made to fit once more gains nothing and loses nothing.
func TestFitAgain(t *testing.T) {
	long(t)
	for seed := range uint64(3) {
		for _, alias := range []rules.Alias{rules.NoAlias, rules.SafeAlias, rules.OverwriteAlias} {
			m := drawn(t, seed)
			g := goal()
			g.Alias = alias
			first := run(t, t.Context(), m, g)
			data := first.Rungs[first.Best].Data
			if data == nil {
				continue
			}
			out, err := tflite.Parse(data, m.Name)
			if err != nil {
				t.Fatal(err)
			}
			again := run(t, t.Context(), out, g)
			if len(again.Rungs) > 1 || again.head() != first.head() {
				t.Errorf("%s %s: head %d, then %d, %+v", m.Name, alias, first.head(), again.head(), shown(&again.Rungs[again.Best]))
			}
			if !bytes.Equal(out.Data, data) {
				t.Errorf("%s: the model is changed", m.Name)
			}
		}
	}
}

// TestBudgetsOfTheLeastHead: a budget of just the head and the arena of the least head is met, with
// any takeovers; so is one of the arena alone; and so is one of the head alone, or the report has the
// larger arena that it takes.
func TestBudgetsOfTheLeastHead(t *testing.T) {
	long(t)
	gains := 0
	for seed := range uint64(4) {
		for _, alias := range []rules.Alias{rules.NoAlias, rules.DiagonalAlias} {
			m := drawn(t, seed)
			g := goal()
			g.Alias = alias
			least := run(t, t.Context(), m, g)
			best := least.Rungs[least.Best]
			g.HeadBudget, g.Budget = best.Head, best.Required
			if r := run(t, t.Context(), m, g); !r.Met {
				t.Errorf("%s %s: head %d within %d and %d", m.Name, alias, r.head(), g.HeadBudget, g.Budget)
			}
			g.HeadBudget = 0
			if r := run(t, t.Context(), m, g); !r.Met {
				t.Errorf("%s %s: arena %d within %d", m.Name, alias, r.Rungs[r.Best].Required, g.Budget)
			}
			g.HeadBudget, g.Budget = best.Head, 0
			r := run(t, t.Context(), m, g)
			if !r.Met && (r.Larger == nil || r.Larger.Head > g.HeadBudget) || r.Met && r.Larger != nil {
				t.Errorf("%s %s: head %d within %d, larger %+v", m.Name, alias, r.head(), g.HeadBudget, r.Larger)
			}
			if len(best.Stages) > 0 {
				gains++
			}
		}
	}
	if gains < 4 {
		t.Errorf("%d models are in pieces: too few to tell", gains)
	}
}
