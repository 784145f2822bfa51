package fit

import (
	"cmp"
	"context"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// Auto is [Fit] at the level of takeovers that serves best, which it returns too: of those up to the
// goal's. Where the goal has budgets that is the first level that meets them, which is right with
// the most kernels, or else the one that comes to the smallest arena. Where there is none, it makes
// the model with the smallest arena that [Frontier] finds, instead of that with the least head,
// which may take a larger arena than others.
//
// Where ctx has a deadline, each level has half of the time that is left, and the last one all of
// it.
func Auto(ctx context.Context, m *tflite.Model, g Goal) (*Report, rules.Alias, error) {
	if g.Head == 0 && g.Arena == 0 {
		return leastArena(ctx, m, g)
	}
	var best *Report
	level, interrupted := rules.NoAlias, false
	for i, all := 0, g.Alias.UpTo(); i < len(all); i++ {
		goal := g
		goal.Alias, goal.alone = all[i], true
		r, err := fitWithin(ctx, m, goal, min(len(all)-i, 2))
		if err != nil {
			return nil, "", err
		}
		interrupted = interrupted || r.Interrupted
		if best == nil || r.Met || r.Rungs[r.Best].nearer(&best.Rungs[best.Best]) {
			best, level = r, goal.Alias
		}
		if r.Met || r.Foreign != "" && !g.Force || ctx.Err() != nil {
			break
		}
	}
	best.Interrupted = interrupted && !best.Met
	return best, level, nil
}

// fitWithin is [Fit] with one of so many parts of the time.
func fitWithin(ctx context.Context, m *tflite.Model, g Goal, parts int) (*Report, error) {
	if share := shareOf(ctx, parts); share > 0 {
		within, stop := context.WithTimeout(ctx, share)
		defer stop()
		ctx = within
	}
	return Fit(ctx, m, g)
}

// leastArena returns a ladder of the model as it is and the one with the smallest arena.
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

// nearer reports whether a rung has a smaller arena than another one.
func (r *Rung) nearer(other *Rung) bool {
	return cmp.Or(cmp.Compare(r.Smallest, other.Smallest), cmp.Compare(r.Head, other.Head)) < 0
}
