package shrink

import (
	"bytes"
	"context"
	"math"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/expiry"
	"github.com/tflarena/tflarena/internal/testkit/golden"
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
	for k := 1; k < len(r.Steps); k++ {
		if g.Compare(&r.Steps[k].Cost, &r.Steps[k-1].Cost) >= 0 {
			t.Fatalf("%s: step %q is no gain over %q", m.Name, r.Steps[k].Name, r.Steps[k-1].Name)
		}
	}
	if data := r.Steps[r.Best].Data; data != nil {
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

func (r *Report) head() int64 { return r.Steps[r.Best].Head }

// shown returns a step without its file.
func shown(r *Candidate) Candidate {
	s := *r
	s.Data = nil
	return s
}

// TestFitStopsAnywhere: whenever the time is over, Fit does little more, says so, and has
// something to show; and more time never ends worse. With a budget that nothing meets, the time may be over in any of its searches.
func TestFitStopsAnywhere(t *testing.T) {
	const late = 60
	for seed, alias := range []rules.Alias{rules.NoAlias, rules.OverwriteAlias} {
		m := drawn(t, uint64(seed))
		for _, budget := range []int64{0, 1} {
			var last *Cost
			for looks := 0; looks < 30_000; looks = 2*looks + 1 {
				ctx := expiry.New(looks)
				ctx.Limited = true
				g := goal()
				g.Alias, g.Budget = alias, budget
				if budget > 0 {
					g.MaxOverhead = 0
				}
				r := run(t, ctx, m, g)
				best := &r.Steps[r.Best].Cost
				if ended := ctx.After() > 0; ended != r.Interrupted {
					t.Fatalf("%s %s within %d: after %d looks: ended %v, interrupted %v", m.Name, alias, budget, looks, ended, r.Interrupted)
				}
				if ctx.After() > late {
					t.Fatalf("%s %s within %d: after %d looks: looked %d times more", m.Name, alias, budget, looks, ctx.After())
				}
				if last != nil && g.Compare(best, last) > 0 {
					t.Fatalf("%s %s within %d: %+v after %d looks, %+v before", m.Name, alias, budget, *best, looks, *last)
				}
				if last = best; !r.Interrupted {
					break
				}
			}
		}
	}
}

// TestMoreBudgetIsNoWorse: a budget above one that is met is met, too; within a larger arena that
// is for no more work, pieces that do less than the whole aside.
func TestMoreBudgetIsNoWorse(t *testing.T) {
	long(t)
	both, dear := 0, 0
	for _, m := range some(t, 6) {
		own := ownOf(t, m)
		for _, arena := range []bool{false, true} {
			met, least := false, int64(math.MaxInt64)
			for _, tenths := range []int64{5, 7, 9} {
				g := goal()
				if g.HeadBudget = own.Head * tenths / 10; arena {
					g.HeadBudget, g.Budget = 0, own.Required*tenths/10
				}
				r := run(t, t.Context(), m, g)
				work := max(int64(r.Steps[r.Best].Overhead/Step), 0)
				if met && !r.Met || arena && r.Met && work > least {
					t.Errorf("%s within %d of its head, %d of its arena: met %t for %d, within less %t for %d", m.Name, g.HeadBudget, g.Budget, r.Met, work, met, least)
				}
				if met {
					both++
				}
				if met = r.Met; met {
					least = work
					dear += int(min(max(r.Steps[r.Best].ExtraMACs, 0), 1))
				}
			}
		}
	}
	if both < 3 || dear < 1 {
		t.Errorf("%d budgets were met for which a smaller one was, %d at a price: too few to tell", both, dear)
	}
}

// TestMoreFreedomIsNoWorse: the smallest arena is no larger with more permitted in-place outputs, and a
// budget that is met with fewer is met with more, with a result that is no worse.
func TestMoreFreedomIsNoWorse(t *testing.T) {
	long(t)
	for _, m := range some(t, 3) {
		least, budget := []*Report(nil), goal()
		for _, alias := range rules.Aliases() {
			g := goal()
			g.Alias = alias
			r := run(t, t.Context(), m, g)
			if n := len(least); n > 0 && g.Compare(&r.Steps[r.Best].Cost, &least[n-1].Steps[least[n-1].Best].Cost) > 0 {
				t.Errorf("%s: %+v with %s, %+v with less", m.Name, shown(&r.Steps[r.Best]), alias, shown(&least[n-1].Steps[least[n-1].Best]))
			}
			least = append(least, r)
		}
		budget.Budget = (least[0].Steps[0].Required + least[0].Steps[least[0].Best].Required) / 2
		met := run(t, t.Context(), m, budget)
		budget.Alias = rules.DiagonalAlias
		if r := run(t, t.Context(), m, budget); budget.Compare(&met.Steps[met.Best].Cost, &r.Steps[r.Best].Cost) < 0 {
			t.Errorf("%s: %+v with everything, %+v without anything", m.Name, shown(&r.Steps[r.Best]), shown(&met.Steps[met.Best]))
		}
	}
}

// TestFitAgain: to fit what was made to fit once more gains nothing and loses nothing.
func TestFitAgain(t *testing.T) {
	long(t)
	for _, m := range some(t, 3) {
		for _, alias := range []rules.Alias{rules.NoAlias, rules.OverwriteAlias} {
			g := goal()
			g.Alias = alias
			first := run(t, t.Context(), m, g)
			data := first.Steps[first.Best].Data
			if data == nil {
				continue
			}
			out, err := tflite.Parse(data, m.Name)
			if err != nil {
				t.Fatal(err)
			}
			again := run(t, t.Context(), out, g)
			if a, b := first.Steps[first.Best], again.Steps[again.Best]; len(again.Steps) > 1 || a.Required != b.Required {
				t.Errorf("%s %s: %d bytes, then %+v", m.Name, alias, a.Required, shown(&b))
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
	gains, networks := 0, uint64(1)
	if *golden.Audit {
		networks = 3
	}
	for seed := range networks {
		for _, alias := range []rules.Alias{rules.NoAlias, rules.OverwriteAlias} {
			m := drawn(t, seed)
			g := goal()
			g.Alias, g.LeastHead = alias, true
			least := run(t, t.Context(), m, g)
			best := least.Steps[least.Best]
			g.HeadBudget, g.Budget = best.Head, best.Required
			if r := run(t, t.Context(), m, g); !r.Met {
				t.Errorf("%s %s: head %d within %d and %d", m.Name, alias, r.head(), g.HeadBudget, g.Budget)
			}
			g.HeadBudget = 0
			if r := run(t, t.Context(), m, g); !r.Met {
				t.Errorf("%s %s: arena %d within %d", m.Name, alias, r.Steps[r.Best].Required, g.Budget)
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
	if gains < 1 {
		t.Errorf("%d models are in pieces: too few to tell", gains)
	}
}
