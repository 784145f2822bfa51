package fit

import (
	"cmp"
	"context"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// Auto is [Fit] at the best --alias level up to the goal's, which it returns too. With budgets,
// that is the first level that meets them, since it is valid for the most kernels, or else the
// one with the smallest required arena. Without budgets, Auto makes the model with the smallest
// required arena found by [Frontier], instead of the smallest head, which may need a larger
// arena.
//
// If ctx has a deadline, each level gets half of the remaining time, and the last one all of
// it.
func Auto(ctx context.Context, m *tflite.Model, g Goal) (*Report, rules.Alias, error) {
	if g.HeadBudget == 0 && g.Budget == 0 {
		return leastArena(ctx, m, g)
	}
	a := &autoFit{own: m, goal: g, levels: g.Alias.UpTo()}
	if err := a.budgets(ctx); err != nil {
		return nil, "", err
	}
	if err := a.leastHeads(ctx); err != nil {
		return nil, "", err
	}
	best := a.reports[a.best]
	best.Interrupted = a.interrupted && !best.Met
	return best, a.levels[a.best], nil
}

// autoFit is one run of [Auto] with budgets.
type autoFit struct {
	own    *tflite.Model
	goal   Goal
	levels []rules.Alias
	// reports are the results of the levels, from the first one on; best is an index into
	// reports.
	reports     []*Report
	best        int
	interrupted bool
}

// at returns the goal for a level.
func (a *autoFit) at(level int) Goal {
	goal := a.goal
	goal.Alias, goal.alone, goal.soon = a.levels[level], true, true
	return goal
}

// budgets tries the levels in order until one meets the budgets.
func (a *autoFit) budgets(ctx context.Context) error {
	for i := range a.levels {
		r, err := fitWithin(ctx, a.own, a.at(i), min(len(a.levels)-i, 2))
		if err != nil {
			return err
		}
		a.reports = append(a.reports, r)
		a.take(i)
		if r.Met || r.Foreign != "" && !a.goal.Force || ctx.Err() != nil {
			break
		}
	}
	return nil
}

// take records a level's report as the best if it is.
func (a *autoFit) take(level int) {
	r, best := a.reports[level], a.reports[a.best]
	a.interrupted = a.interrupted || r.Interrupted
	if r.Met || r.Rungs[r.Best].nearer(&best.Rungs[best.Best]) {
		a.best = level
	}
}

// leastHeads also searches for the smallest heads if no level meets an arena budget. It begins
// with the highest level: only if that meets the budget can lower ones do so.
func (a *autoFit) leastHeads(ctx context.Context) error {
	last := len(a.levels) - 1
	if best := a.reports[a.best]; a.goal.HeadBudget > 0 || best.Met || a.interrupted || len(a.reports) <= last || best.Foreign != "" && !a.goal.Force {
		return nil
	}
	if err := a.leastHead(ctx, last); err != nil || !a.reports[last].Met {
		return err
	}
	for i := range last {
		if err := a.leastHead(ctx, i); err != nil || a.reports[i].Met {
			return err
		}
	}
	return nil
}

// leastHead searches for the smallest head at a level.
func (a *autoFit) leastHead(ctx context.Context, level int) error {
	goal := a.at(level)
	goal.soon, goal.costs = false, a.reports[level].costs
	f := newFitter(a.own, goal)
	f.report = a.reports[level]
	if err := f.orLeast(ctx, a.own); err != nil {
		return err
	}
	err := f.finish(a.own)
	a.take(level)
	return err
}

// fitWithin is [Fit] with 1/parts of the remaining time.
func fitWithin(ctx context.Context, m *tflite.Model, g Goal, parts int) (*Report, error) {
	if share := shareOf(ctx, parts); share > 0 {
		within, stop := context.WithTimeout(ctx, share)
		defer stop()
		ctx = within
	}
	return Fit(ctx, m, g)
}

// leastArena returns a ladder of the unmodified model and the one with the smallest required
// arena.
func leastArena(ctx context.Context, m *tflite.Model, g Goal) (*Report, rules.Alias, error) {
	f := newFitter(m, g)
	if err := f.start(context.WithoutCancel(ctx)); err != nil {
		return nil, "", err
	}
	survey, err := Frontier(ctx, m, g)
	if err != nil {
		return nil, "", err
	}
	r, level := f.report, rules.NoAlias
	r.Interrupted = survey.Interrupted
	for _, l := range survey.Levels {
		r.NotCut = l.NotCut
		for k := range l.Points {
			if p := &l.Points[k]; p.nearer(f.best()) {
				r.Rungs, level = append(r.Rungs[:1:1], p.Rung), p.Alias
			}
		}
	}
	r.Best = len(r.Rungs) - 1
	return r, level, f.describe(m)
}

// nearer reports whether a rung has a smaller required arena than another, or an equal one and
// a smaller head.
func (r *Rung) nearer(other *Rung) bool {
	return cmp.Or(cmp.Compare(r.Required, other.Required), cmp.Compare(r.Head, other.Head)) < 0
}
