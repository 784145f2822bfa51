package fit

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// Rounds are search efforts, as multiples of that without a deadline. With a deadline, the
// first round gives a result soon, and later ones use the remaining time.
var (
	limitedRounds   = []float64{1. / 16, 1. / 4, 1, 4, 16, 64, 256}
	unlimitedRounds = []float64{1}
)

// search takes the steps without tiling, then searches for tilings in rounds. The result of a
// round depends on its work and never on the time: more time only adds to it.
//
// It returns the fitter's state before the rounds.
func (f *fitter) search(ctx context.Context) (*fitter, error) {
	return f.searchWith(ctx, f.plan, f.order, f.cleanUp, f.aliasUncut)
}

func (f *fitter) searchWith(ctx context.Context, steps ...step) (*fitter, error) {
	if err := f.climb(ctx, steps...); err != nil {
		return nil, err
	}
	base := *f
	base.report = &Report{OwnMACs: f.report.OwnMACs, Rungs: slices.Clone(f.report.Rungs)}
	rounds := unlimitedRounds
	if _, limited := ctx.Deadline(); limited {
		rounds = limitedRounds
	}
	for _, scale := range rounds {
		if f.report.Interrupted || f.satisfied(scale) {
			break
		}
		bounded, err := f.round(ctx, &base, scale)
		if err != nil {
			return nil, err
		}
		if !bounded {
			break
		}
	}
	return &base, nil
}

// satisfied reports whether no further round is needed: the goal is met, without extra MACs, or
// after the full effort of a search without a deadline.
func (f *fitter) satisfied(scale float64) bool {
	return f.done() && (f.best().ExtraMACs == 0 || scale > 1)
}

// round searches for tilings without and with in-place outputs and takes the best result. It
// reports whether a bound on the work ended a search.
//
// If a head budget is not met, the search is repeated as for the smallest head: with the finest
// stages, including runs that are already within the budget. Parts that need nearly all of a
// budget seldom have compatible plans, and finer ones leave room.
func (f *fitter) round(ctx context.Context, base *fitter, scale float64) (bounded bool, err error) {
	if bounded, err = f.roundOf(ctx, base, scale); err != nil || f.goal.HeadBudget == 0 || base.finest || f.done() || f.report.Interrupted {
		return bounded, err
	}
	finer := *base
	finer.finest = true
	more, err := f.roundOf(ctx, &finer, scale)
	return bounded || more, err
}

// roundOf is one of the searches of a round.
func (f *fitter) roundOf(ctx context.Context, base *fitter, scale float64) (bounded bool, err error) {
	for _, alias := range f.freedoms() {
		l, err := base.pieces(ctx, alias, scale)
		if err != nil {
			return false, err
		}
		f.keepPlain(l)
		f.adopt(l)
		bounded = bounded || l.bounded
		if f.report.Interrupted = l.report.Interrupted; f.report.Interrupted || f.satisfied(scale) {
			break
		}
	}
	return bounded, nil
}

// sought is the target of a tiling search: an --alias level, and an arena budget in bytes.
type sought struct {
	alias rules.Alias
	arena int64
}

// pieces searches for tilings at an --alias level.
func (f *fitter) pieces(ctx context.Context, alias rules.Alias, scale float64) (*fitter, error) {
	key := sought{alias, f.goal.Budget}
	if l, ok := f.rounds[key]; ok {
		return l, nil
	}
	l := f.branch(alias, scale)
	err := l.climb(ctx, l.cut, l.alias, l.orderPieces)
	if f.rounds != nil && err == nil && !l.report.Interrupted {
		f.rounds[key] = l
	}
	return l, err
}

// freedoms returns the --alias levels searched in a round: none, and the goal's.
func (f *fitter) freedoms() []rules.Alias {
	switch {
	case !f.aliases():
		return []rules.Alias{rules.NoAlias}
	case f.second:
		return []rules.Alias{f.goal.Alias} // the first search included the other
	}
	return []rules.Alias{rules.NoAlias, f.goal.Alias}
}

// branch returns a copy of the fitter that continues from its results.
func (f *fitter) branch(alias rules.Alias, scale float64) *fitter {
	l, goal := *f, *f.goal
	goal.Alias = alias
	l.goal, l.scale = &goal, scale
	l.report = &Report{OwnMACs: f.report.OwnMACs, Rungs: slices.Clone(f.report.Rungs)}
	return &l
}

// adopt takes the results of another search if they are better.
func (f *fitter) adopt(l *fitter) {
	if f.prefers(l.best(), f.best()) {
		f.report.Rungs, f.model = l.report.Rungs, l.model
	}
	f.report.NotCut = l.report.NotCut
	if len(l.report.Frontier) > 0 {
		f.report.Frontier = l.report.Frontier
	}
	if larger := l.report.Larger; larger != nil && (f.report.Larger == nil || larger.Required < f.report.Larger.Required) {
		f.report.Larger = larger
	}
}

// keepPlain keeps the best result without in-place outputs, if the goal permits them.
func (f *fitter) keepPlain(l *fitter) {
	if l.goal.Alias == f.goal.Alias || f.plain != nil && !f.prefers(l.best(), f.plain.best()) {
		return
	}
	f.plain = l
}
