package fit

import (
	"context"
	"errors"
	"time"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// Survey is the result of [Frontier].
type Survey struct {
	// Own is the unmodified model, OwnMACs its multiply-accumulates in one run.
	Own     Rung
	OwnMACs int64
	// Levels are the results with no in-place outputs up to the goal's --alias level.
	Levels []Level
	// Foreign describes the signs that the embedded plan is another tool's, "" if there are
	// none. With signs, nothing else is searched unless [Goal.Force] is set.
	Foreign string
	// Interrupted reports that the context ended before everything was tried.
	Interrupted bool
}

// Level is the result at one --alias level.
type Level struct {
	Alias rules.Alias
	// Points are in order of falling required arena. The extra multiply-accumulates of tiled
	// points do not fall. The first point of all levels is the untiled model with its best
	// plan; tiling may need fewer MACs than that. The untiled model with the level's in-place
	// outputs is a point if its arena is smaller than with the best plan.
	Points []Point
	// Interrupted reports that time ran out before the whole level was tried.
	Interrupted bool
	// NotCut is the reason why the model could not be tiled, or "".
	NotCut string
}

// Point is a model that was built, planned and measured.
type Point struct {
	Rung
	// Budget is an arena in bytes for which [Fit] makes exactly this model. For a budget of
	// [Rung.Required] it also makes a model within the budget, possibly with more MACs if the
	// two values differ.
	Budget int64
	// Alias is the lowest level at which the point was found.
	Alias rules.Alias
	// NewOperators are the kinds of operators that the point adds to the model.
	NewOperators []string
	// most is the largest known arena budget in bytes that led to the point.
	most int64
}

// Frontier returns the trade-off between arena and extra MACs: for each --alias level from none
// to the goal's, some points from the best plan to the smallest arena. It ignores the goal's
// budgets; [Goal.MaxOverhead] bounds all points.
//
// No point is an estimate: each is the result of Fit for its budget without a deadline. If ctx
// has a deadline, each level gets half of the remaining time, and the last one all of it. When
// ctx ends, Frontier returns its results so far and sets [Survey.Interrupted].
func Frontier(ctx context.Context, m *tflite.Model, g Goal) (*Survey, error) {
	if len(m.Subgraphs) == 0 {
		return nil, errors.New("the model has no subgraph")
	}
	s := &surveyor{parent: ctx, own: m}
	whole, stop := undated(ctx, 0)
	defer stop()
	g.HeadBudget, g.Budget = 0, leastBudget
	s.base = newFitter(m, g)
	if err := s.base.start(whole); err != nil {
		return nil, err
	}
	r := s.base.report
	s.survey = &Survey{Own: r.Rungs[0], OwnMACs: r.OwnMACs, Foreign: r.Foreign}
	if r.Foreign != "" && !g.Force {
		return s.survey, nil
	}
	return s.survey, s.levels(whole)
}

// leastBudget is an arena budget in bytes that nothing meets.
const leastBudget = 1

// surveyor is one run of [Frontier].
type surveyor struct {
	// parent is the caller's context, which may have a deadline.
	parent context.Context
	own    *tflite.Model
	// base is the search before tiling.
	base *fitter
	// uncut holds the untiled base with in-place outputs, by level.
	uncut  map[rules.Alias]*fitter
	survey *Survey
}

// undated returns a context that ends with ctx, or after limit if not zero, and has no
// deadline: with a deadline, a search goes in rounds and finds other results.
func undated(ctx context.Context, limit time.Duration) (context.Context, func()) {
	inner, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ends := context.AfterFunc(ctx, cancel)
	if limit == 0 {
		return inner, func() { ends(); cancel() }
	}
	timer := time.AfterFunc(limit, cancel)
	return inner, func() { timer.Stop(); ends(); cancel() }
}

// levels searches for the points of each level. Points that need no search come first, for all
// levels.
func (s *surveyor) levels(ctx context.Context) error {
	b := s.base
	if err := b.climb(ctx, b.plan, b.order, b.cleanUp); err != nil {
		return err
	}
	if err := b.standing(ctx); err != nil {
		return err
	}
	b.rounds = map[sought]*fitter{}
	all := b.goal.Alias.UpTo()
	if err := s.withoutPieces(ctx, all); err != nil {
		return err
	}
	for i, alias := range all {
		within, stop := undated(ctx, shareOf(s.parent, min(len(all)-i, 2)))
		l, err := s.level(within, alias)
		stop()
		if err != nil {
			return err
		}
		s.survey.Levels = append(s.survey.Levels, l)
		s.survey.Interrupted = s.survey.Interrupted || l.Interrupted
	}
	return s.leastHeads(ctx)
}

// withoutPieces measures each level without tiling, as far as time permits.
func (s *surveyor) withoutPieces(ctx context.Context, all []rules.Alias) error {
	s.uncut = map[rules.Alias]*fitter{}
	for _, alias := range all {
		f := s.base.branch(alias, 1)
		if f.goal.Budget = s.base.best().Required; f.aliases() {
			f.goal.Budget-- // otherwise they gain nothing
		}
		if err := f.climb(ctx, f.aliasUncut); err != nil {
			return err
		}
		if f.report.Interrupted {
			return nil
		}
		s.uncut[alias] = f
	}
	return nil
}
