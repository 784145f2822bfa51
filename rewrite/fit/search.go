package fit

import (
	"cmp"
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// A rungStep takes the next step of the ladder. Its error is ctx.Err() where ctx ended it.
type rungStep func(context.Context) error

// climb takes steps until the goal is met or ctx ends.
func (f *fitter) climb(ctx context.Context, steps ...rungStep) error {
	for _, step := range steps {
		if f.done() {
			return nil
		}
		err := step(ctx)
		if ctx.Err() != nil {
			f.report.Interrupted = true
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

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
	return f.searchWith(ctx, f.plan, f.order, f.cleanUp)
}

func (f *fitter) searchWith(ctx context.Context, steps ...rungStep) (*fitter, error) {
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
func (f *fitter) round(ctx context.Context, base *fitter, scale float64) (bounded bool, err error) {
	for _, alias := range f.freedoms() {
		l := base.branch(alias, scale)
		if err := l.climb(ctx, l.patch, l.alias, l.orderPieces); err != nil {
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
	f.report.Left = l.report.Left
	if len(l.report.Frontier) > 0 {
		f.report.Frontier = l.report.Frontier
	}
	if larger := l.report.Larger; larger != nil && (f.report.Larger == nil || larger.Smallest < f.report.Larger.Smallest) {
		f.report.Larger = larger
	}
}

// prefers reports whether one rung is a better end of the ladder than another: one within the
// goal, for the least that it costs, or else the one that comes closest.
func (f *fitter) prefers(a, b *Rung) bool {
	met := f.goal.met(a)
	switch {
	case met != f.goal.met(b):
		return met
	case met && f.goal.Arena > 0:
		return cmp.Or(cmp.Compare(a.ExtraMACs, b.ExtraMACs), cmp.Compare(a.Smallest, b.Smallest)) < 0
	case met:
		return cmp.Or(cmp.Compare(f.price(a), f.price(b)), cmp.Compare(a.Head, b.Head)) < 0
	case f.goal.Arena > 0:
		return cmp.Or(cmp.Compare(a.Smallest, b.Smallest), cmp.Compare(a.Head, b.Head)) < 0
	}
	return cmp.Or(cmp.Compare(a.Head, b.Head), cmp.Compare(a.ExtraMACs, b.ExtraMACs), cmp.Compare(a.Arena, b.Arena)) < 0
}

// price is [fitter.growth] of a rung.
func (f *fitter) price(r *Rung) float64 {
	own := f.report.Rungs[0]
	return f.growth(cost{macs: r.ExtraMACs, tail: r.Tail - own.Tail, file: r.FileBytes - own.FileBytes}, 1)
}

// keepPlain keeps the best of what was found without takeovers, where some are asked for.
func (f *fitter) keepPlain(l *fitter) {
	if l.goal.Alias == f.goal.Alias || f.plain != nil && !f.prefers(l.best(), f.plain.best()) {
		return
	}
	f.plain = l
}

// againPlain looks for the least head of what was found without takeovers, as is done where
// none are asked for, and takes it where that is better: with takeovers the search of what was
// found goes another way.
func (f *fitter) againPlain(ctx context.Context) error {
	if f.plain == nil || f.report.Interrupted {
		return nil
	}
	if err := f.plain.again(ctx); err != nil {
		return err
	}
	f.report.Interrupted = f.plain.report.Interrupted
	if f.prefers(f.plain.best(), f.best()) {
		f.report.Rungs = f.plain.report.Rungs
	}
	return nil
}

// again looks for the least head of what was found, so that nobody finds one smaller by asking
// for it once more.
func (f *fitter) again(ctx context.Context) error {
	if !f.least() || f.report.Interrupted || len(f.report.Rungs) == 1 {
		return nil
	}
	best := *f.best()
	m, err := tflite.Parse(best.Data, f.model.Name)
	if err != nil {
		return err
	}
	goal := *f.goal
	if goal.MaxOverhead >= 0 { // of the model that there was
		goal.MaxOverhead = max(goal.MaxOverhead-float64(best.ExtraMACs)/float64(max(f.report.OwnMACs, 1)), 0) * float64(f.report.OwnMACs) / float64(max(op.RunMACs(m, 0), 1))
	}
	more := newFitter(m, goal)
	more.second = true
	if err := more.start(ctx); err != nil {
		return err
	}
	// A plan for it was looked for when it was found.
	if _, err := more.searchWith(ctx, more.order, more.cleanUp); err != nil {
		return err
	}
	if err := more.again(ctx); err != nil {
		return err
	}
	f.report.Interrupted = more.report.Interrupted
	for _, r := range more.report.Rungs[1:] {
		r.ExtraMACs += best.ExtraMACs
		r.Moved, r.Removed = r.Moved+best.Moved, r.Removed+best.Removed
		r.Stages = append(slices.Clone(best.Stages), r.Stages...)
		f.report.Rungs = append(f.report.Rungs, r)
	}
	return nil
}
