package fit

import (
	"context"
	"errors"
	"time"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// A Survey is what [Frontier] found.
type Survey struct {
	// Own is the model as it is, and OwnMACs are its multiply-accumulates in one run.
	Own     Rung
	OwnMACs int64
	// Levels are what takeovers make possible, from none to those of the goal.
	Levels []Level
	// Foreign says what shows that the plan which the model carries is another tool's, ""
	// where none does. Then nothing else is looked for, unless [Goal.Force] is set.
	Foreign string
	// Interrupted says that the context ended before all was tried.
	Interrupted bool
}

// A Level is what there is with some takeovers.
type Level struct {
	Alias rules.Alias
	// Points fall in smallest arena. Those in pieces do not fall in extra multiply-accumulates. The
	// first point of all levels is the model with its best plan, in pieces nowhere, and pieces may
	// do less work than that. The model in pieces nowhere with the takeovers of the level is one of
	// the points where its arena is smaller than with the best plan.
	Points []Point
	// Interrupted says that time was over before all of the level was tried.
	Interrupted bool
	// NotCut says why the model could not be cut into pieces, "" where it could.
	NotCut string
}

// A Point is a model that was built, planned and measured.
type Point struct {
	Rung
	// Budget is an arena in bytes for which [Fit] makes just this model. For a budget of
	// [Rung.Required] it makes a model within that, too, which may take more work where the
	// two differ.
	Budget int64
	// Alias is the least level at which the point was found.
	Alias rules.Alias
	// NewOperators are kinds of operators that the point has and the model had not.
	NewOperators []string
	// most is an arena in bytes that led to the point, the largest that is known to.
	most int64
}

// Frontier returns what arena can be had for how much extra work: for each level of takeovers
// from none to the goal's, some points from the best plan to the least arena. The goal's
// budgets are not looked at; [Goal.MaxOverhead] bounds all points.
//
// No point is an estimate: each is what Fit finds for its budget when Fit has no deadline. Where
// ctx has one, each level has half of the time that is left, and the last one all of it. When ctx
// ends Frontier returns what it has, and [Survey.Interrupted] says so.
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

// leastBudget is a budget of the arena in bytes that nothing meets.
const leastBudget = 1

// A surveyor is one run of [Frontier].
type surveyor struct {
	// parent is the context of the caller, which may have a deadline.
	parent context.Context
	own    *tflite.Model
	// base is the search up to where pieces are looked for.
	base *fitter
	// uncut are the base with takeovers, in pieces nowhere, by level.
	uncut  map[rules.Alias]*fitter
	survey *Survey
}

// undated returns a context that ends with another one, or after a time if that is not zero, and
// has no deadline: with one, a search goes in rounds, and finds what another one does not.
func undated(ctx context.Context, limit time.Duration) (context.Context, func()) {
	inner, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ends := context.AfterFunc(ctx, cancel)
	if limit == 0 {
		return inner, func() { ends(); cancel() }
	}
	timer := time.AfterFunc(limit, cancel)
	return inner, func() { timer.Stop(); ends(); cancel() }
}

// levels looks for the points of each level. What takes no search comes first, for all of them.
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

// withoutPieces finds what each level comes to without pieces, in the time that there is.
func (s *surveyor) withoutPieces(ctx context.Context, all []rules.Alias) error {
	s.uncut = map[rules.Alias]*fitter{}
	for _, alias := range all {
		f := s.base.branch(alias, 1)
		if f.goal.Budget = s.base.best().Required; f.aliases() {
			f.goal.Budget-- // else they are for nothing
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
