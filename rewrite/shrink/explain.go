package shrink

import (
	"context"
	"math"
	"sort"

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
	// Ways are changes to the goal: levels of in-place outputs, the safest first, and more overhead. The
	// highest level is tried first, lower ones only if that meets the budget, until one does.
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
	// Tried reports that at least one round of the search completed, Met that its result is within the
	// budgets. Best is that result, if tried.
	Tried, Met bool
	Best       Candidate
}

// Explain explains why the result of [Fit] does not meet a goal's budgets. It continues the search with
// changed goals. If ctx has a deadline, the first way gets three quarters of the remaining time and each
// other one half. Ways that do not complete a round of the search are marked as not tried. The end of ctx
// is not an error.
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
	list := r.search.ways(&g)
	for i := range list {
		w := &list[i]
		if w.Alias != "" && s.settled() {
			continue
		}
		changed := g
		if w.Alias != "" {
			changed.Alias = w.Alias
		} else {
			changed.MaxOverhead = -1
		}
		within, stop := explainShare(ctx, i, len(list))
		err := r.search.try(within, w, &changed)
		stop()
		if err != nil {
			return nil, err
		}
		s.Ways = append(s.Ways, *w)
	}
	sort.SliceStable(s.Ways, func(i, j int) bool { return s.Ways[i].rank() < s.Ways[j].rank() })
	return s, nil
}

// explainShare returns the time for the i-th of n ways. Most of it is for the first one, because others
// begin with what it finds.
func explainShare(ctx context.Context, i, n int) (context.Context, context.CancelFunc) {
	if i == 0 && n > 1 {
		return deadline.Spare(ctx, 4)
	}
	return deadline.Share(ctx, min(n-i, 2))
}

// rank orders ways, the safest first; more work comes last.
func (w *Way) rank() int {
	if w.Alias == "" {
		return math.MaxInt
	}
	return level(w.Alias)
}

// settled reports whether no further level of in-place outputs is worth trying: even the highest one
// misses the budget, or a lower one meets it.
func (s *Shortfall) settled() bool {
	if len(s.Ways) == 0 {
		return false
	}
	return s.Ways[0].Tried && !s.Ways[0].Met || slices.ContainsFunc(s.Ways[1:], func(w Way) bool { return w.Met })
}

// ways returns the ways to try for an unmet goal. The highest level of in-place outputs comes first: it
// decides whether lower ones are tried.
func (s *Search) ways(g *Goal) (list []Way) {
	all := rules.Aliases()
	more := all[min(len(g.Alias.UpTo()), len(all)):]
	if n := len(more) - 1; n >= 0 {
		list = append(list, Way{Alias: more[n]})
		for _, a := range more[:n] {
			list = append(list, Way{Alias: a})
		}
	}
	if g.MaxOverhead >= 0 {
		list = append(list, Way{MaxOverhead: math.Inf(1)})
	}
	return list
}

// try searches for a changed goal. More overhead is stated as the one that the result took, rounded up
// to a tenth of a percent.
func (s *Search) try(ctx context.Context, w *Way, g *Goal) error {
	if err := s.untiled(ctx, g.Alias.UpTo()); err != nil && ctx.Err() == nil {
		return err
	}
	g.enough = true
	b, _ := s.best(g)
	for round := 0; round < s.roundsOf(g) && ctx.Err() == nil && !g.met(&b.Cost); round++ {
		s.explore(ctx, g, round)
		b, _ = s.best(g)
		w.Tried = w.Tried || ctx.Err() == nil
	}
	w.Met = g.met(&b.Cost)
	if w.Tried = w.Tried || w.Met; w.Tried {
		written, err := s.result(g)
		if err != nil {
			return err
		}
		w.Best = *written
	}
	if w.Met && w.MaxOverhead > 0 {
		w.MaxOverhead = math.Ceil(1000*b.Overhead) / 1000
	}
	return nil
}

// forced tries a goal without another tool's plan.
func (s *Search) forced(ctx context.Context, m *tflite.Model, g Goal, x *Shortfall) error {
	g.Force = true
	r, err := Fit(ctx, m, g)
	w := Way{Force: true, Tried: err == nil && !r.Interrupted}
	if w.Tried {
		w.Best, w.Met = r.Steps[r.Best], r.Met
	}
	x.Ways = []Way{w}
	return nil
}
