package fit

import (
	"context"
	"math"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// Shortfall explains why a budget is not met and what would meet it.
type Shortfall struct {
	// Required and Head are the excess of the best rung over each budget in bytes, zero if it
	// is within the budget or there is none.
	Required, Head int64
	// Bottleneck is the operator at the peak of the best rung, nil if nothing is planned.
	Bottleneck *Bottleneck
	// Ways are changes to the goal, in the order tried: the highest --alias level first, lower
	// ones only if that meets the budget, until one does.
	Ways []Way
}

// Way is a change to a goal and its result in [Fit]. The nonzero fields are the changes.
type Way struct {
	Alias rules.Alias
	// MaxOverhead is a larger overhead, as a fraction of the model's own MACs; infinite for
	// unlimited.
	MaxOverhead float64
	// Least searches for the smallest head; the arena may grow.
	Least bool
	// Force removes another tool's plan.
	Force bool
	// Tried reports that the search completed, Met that its result is within the budgets. Best
	// is the final rung, if tried.
	Tried, Met bool
	Best       Rung
}

// Explain explains why the result of [Fit] does not meet a goal's budgets. Each way is tried in
// full, as Fit does without a deadline. If ctx has a deadline, each way gets half of the
// remaining time, and ways that do not complete are marked as not tried. The end of ctx is not
// an error.
func Explain(ctx context.Context, m *tflite.Model, g Goal, r *Report) (*Shortfall, error) {
	best := &r.Rungs[r.Best]
	s := &Shortfall{}
	if g.HeadBudget > 0 {
		s.Head = max(best.Head-g.HeadBudget, 0)
	}
	if g.Budget > 0 {
		s.Required = max(best.Required-g.Budget, 0)
	}
	var err error
	if s.Bottleneck, err = bottleneck(m, best, g.Device); err != nil {
		return nil, err
	}
	g.costs = r.costs
	s.Ways = ways(g, r)
	for i := range s.Ways {
		w := &s.Ways[i]
		if w.Alias != "" && s.settled(i) {
			continue
		}
		within, stop := undated(ctx, shareOf(ctx, min(len(s.Ways)-i, 2)))
		w.try(within, m, g, r.OwnMACs)
		stop()
	}
	for i := len(s.Ways) - 1; i > 0; i-- {
		if s.Ways[i].Alias != "" && s.settled(i) {
			s.Ways = slices.Delete(s.Ways, i, i+1)
		}
	}
	return s, nil
}

// settled reports whether the way with index i can be skipped: even the highest --alias level
// misses the budget, or a lower one meets it.
func (s *Shortfall) settled(i int) bool {
	if i == 0 {
		return false
	}
	return s.Ways[0].Tried && !s.Ways[0].Met || slices.ContainsFunc(s.Ways[1:i], func(o Way) bool { return o.Met && o.Alias != "" })
}

// ways returns the ways to try for an unmet goal.
func ways(g Goal, r *Report) (list []Way) {
	if r.Foreign != "" && !g.Force {
		return []Way{{Force: true}} // nothing was tried at all
	}
	all := rules.Aliases()
	more := all[min(len(g.Alias.UpTo()), len(all)):]
	if n := len(more) - 1; n >= 0 {
		list = append(list, Way{Alias: more[n]}) // decides whether to try lower ones
		for _, alias := range more[:n] {
			list = append(list, Way{Alias: alias})
		}
	}
	if g.MaxOverhead >= 0 {
		list = append(list, Way{MaxOverhead: math.Inf(1)})
	}
	return append(list, Way{Least: true})
}

// try runs the way. A larger overhead is first tried without a limit. If that meets the budget,
// it is tried again with the overhead it took, rounded up to a tenth of a percent, and stays
// unlimited if this search ends elsewhere or does not complete.
func (w *Way) try(ctx context.Context, m *tflite.Model, g Goal, own int64) {
	budget := g
	switch {
	case w.Alias != "":
		g.Alias = w.Alias
	case w.MaxOverhead > 0:
		g.MaxOverhead = -1
	case w.Least:
		g.HeadBudget, g.Budget = 0, 0
	case w.Force:
		g.Force = true
	}
	if !w.fit(ctx, m, g, &budget) || w.MaxOverhead == 0 || !w.Met {
		return
	}
	unbounded := *w
	w.MaxOverhead = math.Ceil(1000*float64(w.Best.ExtraMACs)/float64(max(own, 1))) / 1000
	g.MaxOverhead = w.MaxOverhead
	if w.fit(ctx, m, g, &budget); !w.Met {
		*w = unbounded
	}
}

// fit tries one goal and reports whether the search completed. A failed search counts as
// incomplete, so that it does not lose the report.
func (w *Way) fit(ctx context.Context, m *tflite.Model, g Goal, budget *Goal) bool {
	g.plainly, g.alone = true, true
	r, err := Fit(ctx, m, g)
	if w.Tried = err == nil && !r.Interrupted && ctx.Err() == nil; !w.Tried {
		w.Met = false
		return false
	}
	w.Best = r.Rungs[r.Best]
	w.Met = budget.met(&w.Best)
	return true
}

// shareOf returns the time for one of several searches that share a context's remaining time,
// zero for unlimited.
func shareOf(ctx context.Context, searches int) time.Duration {
	end, limited := ctx.Deadline()
	if !limited {
		return 0
	}
	return max(time.Until(end)/time.Duration(searches), 1)
}
