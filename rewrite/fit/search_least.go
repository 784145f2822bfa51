package fit

import (
	"cmp"
	"context"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// orLeast searches for the smallest head if a budget is not met, so that no budget is missed
// that the smallest head meets: the two searches take different paths. For an arena budget it
// does so only if the budget seems possible: the smallest head often needs a far larger arena.
func (f *fitter) orLeast(ctx context.Context, own *tflite.Model) error {
	if f.least() || f.done() || f.report.Interrupted || f.goal.HeadBudget == 0 && (f.goal.soon || arenaOfLeast(&f.report.Rungs[0], f.report.Frontier) > f.goal.Budget) {
		return nil
	}
	r, err := f.leastOf(ctx, own)
	if err != nil {
		return err
	}
	f.report.Interrupted = r.Interrupted
	f.takeLeast(r)
	return nil
}

// arenaOfLeast returns the approximate minimum arena in bytes of a model's smallest head, from
// the estimates of other searches, or math.MaxInt64 without estimates.
func arenaOfLeast(own *Rung, list []Estimate) int64 {
	if len(list) == 0 {
		return math.MaxInt64
	}
	least := slices.MinFunc(list, func(a, b Estimate) int {
		return cmp.Or(cmp.Compare(a.Head, b.Head), cmp.Compare(a.Tail, b.Tail))
	})
	return least.Head + least.Tail + own.Tail
}

// leastOf searches for the smallest head of a model, at the goal's --alias level.
func (f *fitter) leastOf(ctx context.Context, own *tflite.Model) (*Report, error) {
	goal := *f.goal
	goal.HeadBudget, goal.Budget, goal.plainly, goal.alone, goal.costs = 0, 0, true, true, f.costs
	return Fit(ctx, own, goal)
}

// takeLeast takes a rung of the search for the smallest head if it meets the budget, or comes
// closer to an arena budget alone.
func (f *fitter) takeLeast(r *Report) {
	standing := f.standingRungs()
	for i := len(standing); i < len(r.Rungs); i++ {
		switch rung, met := &r.Rungs[i], f.goal.met(&r.Rungs[i]); {
		case !f.prefers(rung, f.best()) || !met && f.goal.HeadBudget > 0:
		case f.goal.Budget > 0 || rung.Required <= f.report.Rungs[0].Required:
			f.report.Rungs = append(standing, *rung)
		case f.report.Larger == nil || rung.Required < f.report.Larger.Required:
			f.report.Larger = rung
		}
	}
}

// standingRungs returns the rungs that every ladder begins with.
func (f *fitter) standingRungs() []Rung {
	n := 1
	if len(f.report.Rungs) > n && f.report.Rungs[n].Name == withoutPlan {
		n++
	}
	return f.report.Rungs[:n:n]
}
