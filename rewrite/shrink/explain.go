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
	// enough. A level is tried only if all higher ones meet the budget.
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
// higher levels, and searches without a limit of the overhead. If ctx has a deadline, each way but the last gets seven eighths of the remaining time. Ways
// that do not complete a round of the search are marked as not tried. The end of ctx is not an error.
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
	list := g.ways()
	for i := range list {
		w := &list[i]
		if w.MaxOverhead == 0 && s.missed() || w.Alias != "" && w.MaxOverhead > 0 && s.met() {
			continue
		}
		within, stop := ctx, func() {}
		if i+1 < len(list) {
			within, stop = deadline.Spare(ctx, otherTime)
		}
		err := r.search.try(within, w, &g)
		stop()
		if err != nil {
			return nil, err
		}
		if w.MaxOverhead == 0 {
			s.Ways = slices.Insert(s.Ways, 0, *w)
		} else {
			s.Ways = append(s.Ways, *w)
		}
	}
	return s, nil
}

// changed returns a goal with a way's changes, which permit any overhead if they permit more.
func (w *Way) changed(g Goal) *Goal {
	if w.Alias != "" {
		g.Alias = w.Alias
	}
	if w.MaxOverhead > 0 {
		g.MaxOverhead = -1
	}
	return &g
}

// otherTime is the inverse of the part of the remaining time that is reserved for later ways.
const otherTime = 8

// missed reports whether the lowest level of in-place outputs so far was searched to the end and misses the budget, so that
// lower ones miss it, too.
func (s *Shortfall) missed() bool {
	return len(s.Ways) > 0 && s.Ways[0].Tried && !s.Ways[0].Met && !s.Ways[0].Interrupted
}

// met reports whether a way meets the budget.
func (s *Shortfall) met() bool { return slices.ContainsFunc(s.Ways, func(w Way) bool { return w.Met }) }

// ways returns the ways to try for an unmet goal: higher levels of in-place outputs, the highest first, because
// lower ones begin with the tilings that it finds, more overhead, and both.
func (g *Goal) ways() (list []Way) {
	all := rules.Aliases()
	for i := len(all) - 1; i >= len(g.Alias.UpTo()); i-- {
		list = append(list, Way{Alias: all[i]})
	}
	if g.MaxOverhead >= 0 {
		more := Way{MaxOverhead: math.Inf(1)}
		if list = append(list, more); len(list) > 1 {
			more.Alias = list[0].Alias
			list = append(list, more)
		}
	}
	return list
}

// Loosest reports whether the goal permits everything: the highest level of in-place outputs and any overhead. [Explain] has
// nothing to try then, unless another tool's plan stays.
func (g *Goal) Loosest() bool { return !g.Auto && len(g.ways()) == 0 }

// try searches for a changed goal. More overhead is left to [Search.withoutLimit], which does not depend on the permitted one:
// so [Fit] with the stated overhead, the result's rounded up to a tenth of a percent, finds the same model if it has the time.
func (s *Search) try(ctx context.Context, w *Way, g *Goal) error {
	changed := w.changed(*g)
	if err := s.untiled(ctx, changed.Alias.UpTo()); err != nil && ctx.Err() == nil {
		return err
	}
	changed.first = true
	for round := 0; w.MaxOverhead == 0 && round < s.roundsOf(g) && ctx.Err() == nil && !s.enough(changed); round++ {
		s.explore(ctx, changed, round)
		w.Tried = w.Tried || ctx.Err() == nil
	}
	if !s.enough(changed) && ctx.Err() == nil {
		search := s.otherwise
		if w.MaxOverhead > 0 {
			search = s.withoutLimit
		}
		if err := search(ctx, changed); err != nil && ctx.Err() == nil {
			return err
		}
		w.Tried = w.Tried || ctx.Err() == nil
	}
	b, _ := s.best(changed)
	w.Met = changed.met(&b.Cost)
	w.Interrupted = !w.Met && ctx.Err() != nil
	if w.Tried = w.Tried || w.Met; w.Tried {
		written, err := s.result(changed)
		if err != nil {
			return err
		}
		w.Best = *written
	}
	if w.Met && w.MaxOverhead > 0 {
		w.MaxOverhead = max(g.MaxOverhead, (math.Floor(1000*b.Overhead)+1)/1000)
	}
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
