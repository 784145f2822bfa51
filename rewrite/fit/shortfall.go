package fit

import (
	"context"
	"math"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// A Shortfall says why a budget is not met, and what would meet it.
type Shortfall struct {
	// Required and Head are by how many bytes the best rung exceeds each budget, zero where it is
	// within it and where there is none.
	Required, Head int64
	// Bottleneck is the operator at the peak of the best rung, nil where nothing is planned.
	Bottleneck *Bottleneck
	// Ways are changes to the goal, in the order in which they are tried: the most takeovers
	// first, and lesser ones only where those meet the budget, until one does.
	Ways []Way
}

// A Way is a change to a goal, and what [Fit] makes of it. The fields that are not zero say what
// changes.
type Way struct {
	Alias rules.Alias
	// MaxOverhead is more extra work, as a part of the model's own; infinite for any.
	MaxOverhead float64
	// Least looks for the least head, for which the arena may be larger than it was.
	Least bool
	// Force lets another tool's plan go.
	Force bool
	// Tried says that the search came to its end; Met that it is within the budgets. Best is
	// the rung that it ends with, where it was tried.
	Tried, Met bool
	Best       Rung
}

// Explain says why the budgets of a goal are not met by what [Fit] found. Each way is tried in
// full, as Fit without a deadline does. Where ctx has a deadline each way has half of the time
// that is left, and those that do not come to their end are marked as not tried. An end of ctx is
// no error.
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

// settled reports whether no takeovers need be tried as the way of an index: even the most of
// them do not meet the budget, or lesser ones do.
func (s *Shortfall) settled(i int) bool {
	if i == 0 {
		return false
	}
	return s.Ways[0].Tried && !s.Ways[0].Met || slices.ContainsFunc(s.Ways[1:i], func(o Way) bool { return o.Met && o.Alias != "" })
}

// ways returns what may be tried for a goal that is not met.
func ways(g Goal, r *Report) (list []Way) {
	if r.Foreign != "" && !g.Force {
		return []Way{{Force: true}} // nothing was tried at all
	}
	all := rules.Aliases()
	more := all[min(len(g.Alias.UpTo()), len(all)):]
	if n := len(more) - 1; n >= 0 {
		list = append(list, Way{Alias: more[n]}) // tells whether lesser ones are worth a try
		for _, alias := range more[:n] {
			list = append(list, Way{Alias: alias})
		}
	}
	if g.MaxOverhead >= 0 {
		list = append(list, Way{MaxOverhead: math.Inf(1)})
	}
	return append(list, Way{Least: true})
}

// try looks for what a goal comes to this way. More work is tried without a bound first. Where that
// meets the budget it is tried with just what that took, rounded up to a tenth of a percent, and
// stays without a bound where a search with that one ends elsewhere, or was not over in time.
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

// fit tries one goal, and reports whether it came to its end. A search that fails did not: what
// else may be had is not worth the report of what was found.
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

// shareOf returns the time for one of so many searches that share what a context has left, zero
// for all that it takes.
func shareOf(ctx context.Context, searches int) time.Duration {
	end, limited := ctx.Deadline()
	if !limited {
		return 0
	}
	return max(time.Until(end)/time.Duration(searches), 1)
}
