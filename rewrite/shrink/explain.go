package shrink

import (
	"context"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// Shortfall explains why a budget is not met and what would meet it.
type Shortfall struct {
	// Required and Head are the excess of the best candidate over each budget in bytes, zero if it
	// is within the budget or there is none.
	Required, Head int64
	// Ways are changes to the goal: levels of in-place outputs, the safest first, more overhead, and both if neither is
	// enough. Levels below one that misses the budget are omitted.
	Ways []Way
}

// Way is a change to a goal and its result. The nonzero fields are the changes.
type Way struct {
	Alias rules.Alias
	// MaxOverhead is a larger overhead, as a fraction of the model's own MACs; infinite for
	// unlimited.
	MaxOverhead float64
	// Force removes another tool's plan.
	Force bool
	// Tried reports that at least one round of the search completed, or the whole search for more overhead, Met that its
	// result is within the budgets. Best is that result, if tried. Interrupted reports that the time ended before the search
	// did, so that a missed budget proves nothing.
	Tried, Met, Interrupted bool
	Best                    Candidate
}

// Explain explains why the result of [Fit] does not meet a goal's budgets. It continues the search with
// higher levels, and searches without a limit of the overhead. If ctx has a deadline, each search but the last gets nearly
// all of the remaining time. Ways that do not complete a round of the search are marked as not tried. The end of ctx is
// not an error.
func Explain(ctx context.Context, m *tflite.Model, g Goal, r *Report) (*Shortfall, error) {
	best, s := &r.Steps[r.Best], &Shortfall{}
	if g.HeadBudget > 0 {
		s.Head = max(best.Head-g.HeadBudget, 0)
	}
	if g.Budget > 0 {
		s.Required = max(best.Required-g.Budget, 0)
	}
	r.search.bound(&g)
	if r.search.stays() {
		return s, r.search.forced(ctx, m, g, s)
	}
	levels, others := g.ways()
	highest := g.Alias
	if len(levels) > 0 {
		highest = levels[len(levels)-1].Alias
	}
	err := r.search.untiled(ctx, highest.UpTo())
	if err == nil || ctx.Err() != nil {
		s.Ways, err = r.search.higher(ctx, &g, levels, len(others))
	}
	if err != nil {
		return nil, err
	}
	for i := range others {
		w := &others[i]
		if w.Alias != "" && s.met() {
			continue
		}
		within, stop := spare(ctx, len(others)-i)
		err := r.search.more(within, w, &g)
		if stop(); err != nil {
			return nil, err
		}
		s.Ways = append(s.Ways, *w)
	}
	return s, nil
}

// ways returns the ways to try for an unmet goal: higher levels of in-place outputs, the safest first, and more overhead,
// at the same level and at the highest.
func (g *Goal) ways() (levels, others []Way) {
	all, own := rules.Aliases(), g.Alias.UpTo()
	for _, a := range all {
		if !slices.Contains(own, a) {
			levels = append(levels, Way{Alias: a})
		}
	}
	if g.MaxOverhead >= 0 {
		more := Way{MaxOverhead: math.Inf(1)}
		if others = append(others, more); len(levels) > 0 {
			more.Alias = all[len(all)-1]
			others = append(others, more)
		}
	}
	return levels, others
}

// Loosest reports whether the goal permits everything: the highest level of in-place outputs and any overhead. [Explain] has
// nothing to try then, unless another tool's plan stays.
func (g *Goal) Loosest() bool {
	levels, others := g.ways()
	return !g.Auto && len(levels)+len(others) == 0
}

// changed returns a goal with a way's changes, which permit any overhead if they permit more. Its search ends at the first
// model within the budgets.
func (w *Way) changed(g *Goal) *Goal {
	c := *g
	if c.first = true; w.Alias != "" {
		c.Alias = w.Alias
	}
	if w.MaxOverhead > 0 {
		c.MaxOverhead = -1
	}
	return &c
}

// met reports whether a way meets the budget.
func (s *Shortfall) met() bool { return slices.ContainsFunc(s.Ways, func(w Way) bool { return w.Met }) }

// spare returns a context for the first of some searches, which leaves a part of the time for the others.
func spare(ctx context.Context, searches int) (context.Context, context.CancelFunc) {
	const otherTime = 16
	if searches == 1 {
		return ctx, func() {}
	}
	return deadline.Spare(ctx, otherTime)
}

// higher tries levels of in-place outputs, the safest first in list: a first round at each of them, and then the level of the
// model that comes closest to the budgets, until it is known which is the safest that meets them. It returns the levels without
// those that miss the budgets because a higher one does. others is the number of ways to try afterwards.
func (s *Search) higher(ctx context.Context, g *Goal, list []Way, others int) ([]Way, error) {
	for i := range list {
		w, changed := &list[i], list[i].changed(g)
		within, stop := deadline.Share(ctx, len(list)-i+1)
		if !s.enough(changed) {
			s.explore(within, changed, 0)
		}
		w.Tried, w.Interrupted = within.Err() == nil, true
		stop()
	}
	missed := 0
	for from, to := 0, len(list); from < to; {
		i := from + s.closest(g, list[from:to])
		within, stop := spare(ctx, to-from+others)
		err := s.further(within, &list[i], g)
		if stop(); err != nil {
			return nil, err
		}
		if list[i].Met {
			to = i
			continue
		}
		if from = i + 1; !list[i].Interrupted {
			missed = i
		}
	}
	list = list[missed:]
	for i := range list { // a level has the models of those below it
		if err := s.conclude(&list[i], g); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// closest returns the index of the level of the model that comes closest to the budgets, the last one if that model is of a
// level below all of them.
func (s *Search) closest(g *Goal, list []Way) int {
	last := len(list) - 1
	if _, p := s.best(list[last].changed(g)); p != nil {
		if i := slices.IndexFunc(list, func(w Way) bool { return w.Alias == p.alias }); i >= 0 {
			return i
		}
	}
	return last
}

// further searches at a level after its first round. The rounds up to the survey are skipped if the search for the goal itself
// ended in time: the thorough rounds are fast for such a model, and find more.
func (s *Search) further(ctx context.Context, w *Way, g *Goal) error {
	changed, round := w.changed(g), 1
	if !s.ended {
		round = min(surveyed+1, s.roundsOf(g)-1)
	}
	for ; round < s.roundsOf(g) && ctx.Err() == nil && !s.enough(changed); round++ {
		s.explore(ctx, changed, round)
	}
	return s.lastly(ctx, w, g, s.otherwise)
}

// more searches with more overhead. It does not depend on the permitted one: so [Fit] with the stated overhead, the result's
// rounded up to a tenth of a percent, finds the same model if it has the time.
func (s *Search) more(ctx context.Context, w *Way, g *Goal) error {
	if err := s.lastly(ctx, w, g, s.withoutLimit); err != nil || !w.Met {
		return err
	}
	w.MaxOverhead = max(g.MaxOverhead, (math.Floor(1000*w.Best.Overhead)+1)/1000)
	return nil
}

// lastly calls a search of its own for a way, unless the best model is enough, and sets the result.
func (s *Search) lastly(ctx context.Context, w *Way, g *Goal, search func(context.Context, *Goal) error) error {
	if changed := w.changed(g); !s.enough(changed) && ctx.Err() == nil {
		if err := search(ctx, changed); err != nil && ctx.Err() == nil {
			return err
		}
	}
	w.Interrupted = ctx.Err() != nil
	w.Tried = w.Tried || !w.Interrupted
	return s.conclude(w, g)
}

// conclude sets the result of a way from what was found.
func (s *Search) conclude(w *Way, g *Goal) error {
	changed := w.changed(g)
	b, _ := s.best(changed)
	w.Met = changed.met(&b.Cost)
	w.Tried, w.Interrupted = w.Tried || w.Met, w.Interrupted && !w.Met
	if !w.Tried {
		return nil
	}
	written, err := s.result(changed)
	if err != nil {
		return err
	}
	w.Best = *written
	return nil
}

// forced tries a goal without another tool's plan.
func (s *Search) forced(ctx context.Context, m *tflite.Model, g Goal, x *Shortfall) error {
	g.Force = true
	r, err := Fit(ctx, m, g)
	w := Way{Force: true, Tried: err == nil && !r.Interrupted}
	if w.Interrupted = !w.Tried; w.Tried {
		w.Best, w.Met = r.Steps[r.Best], r.Met
	}
	x.Ways = []Way{w}
	return nil
}
