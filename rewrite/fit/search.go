package fit

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// Rounds are how far searches go, as multiples of what is done without a deadline: with one
// the first round has something to show soon, and the later ones take what time there is.
var (
	limitedRounds   = []float64{1. / 16, 1. / 4, 1, 4, 16, 64, 256}
	unlimitedRounds = []float64{1}
)

// search takes the steps that cut nothing, and then looks for pieces in rounds. What rounds
// find depends on their work and never on the time: a longer time only adds to it.
//
// It returns the fitter as it was in front of the rounds.
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

// satisfied reports whether no further round is wanted: the goal is met, for no more work or
// by all that is done without a deadline.
func (f *fitter) satisfied(scale float64) bool {
	return f.done() && (f.best().ExtraMACs == 0 || scale > 1)
}

// round looks for pieces with less freedom and with all of it, and takes the best of what is
// found. It reports whether a search was ended by a bound on its work.
//
// A budget of the head that is not met is looked for once more as the least head is: among stages as
// fine as there are any, also of runs that are within it as they are. Parts that need nearly all of a
// budget seldom have plans that fit to each other, and finer ones leave room.
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

// sought is what a search for pieces is for: takeovers, and a budget of the arena in bytes.
type sought struct {
	alias rules.Alias
	arena int64
}

// pieces looks for pieces with some takeovers.
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

// freedoms returns which outputs take over inputs in the searches of a round: none, and those
// that may.
func (f *fitter) freedoms() []rules.Alias {
	switch {
	case !f.aliases():
		return []rules.Alias{rules.NoAlias}
	case f.second:
		return []rules.Alias{f.goal.Alias} // the first search was without, too
	}
	return []rules.Alias{rules.NoAlias, f.goal.Alias}
}

// branch returns a fitter that goes on from what f has found, and leaves f as it is.
func (f *fitter) branch(alias rules.Alias, scale float64) *fitter {
	l, goal := *f, *f.goal
	goal.Alias = alias
	l.goal, l.scale = &goal, scale
	l.report = &Report{OwnMACs: f.report.OwnMACs, Rungs: slices.Clone(f.report.Rungs)}
	return &l
}

// adopt takes what another search found where that is better.
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

// keepPlain keeps the best of what was found without takeovers, where some are asked for.
func (f *fitter) keepPlain(l *fitter) {
	if l.goal.Alias == f.goal.Alias || f.plain != nil && !f.prefers(l.best(), f.plain.best()) {
		return
	}
	f.plain = l
}
