package fit

import (
	"cmp"
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
)

const (
	// enough is how many points of a level are looked for, and mostBudgets how many budgets
	// are tried for them.
	enough, mostBudgets = 6, 12
	// leastGap is what part of the best plan's arena two budgets are apart at least.
	leastGap = 1. / 64
)

// eighths are the first budgets, in eighths of the best plan's arena. A search for pieces takes the
// longer the less it may need, so that those that are found soon come first.
var eighths = []int64{8, 7, 6, 4}

// A climber looks for the points of one level.
type climber struct {
	*surveyor
	ctx    context.Context
	alias  rules.Alias
	points []Point
	// spans are budgets of which it is known what they lead to, up from the largest that was
	// not met, which is failed.
	spans  []budgets
	failed int64
	// sight is the least arena that an estimate has, 0 where there is none.
	sight int64
	// leastHead is what the search for the least head comes to, nil where it is not known.
	leastHead *Report
	// notCut says why the model could not be cut into pieces.
	notCut string
}

// budgets are arenas in bytes, both inclusive.
type budgets struct{ least, most int64 }

// level looks for the points of a level. It begins with those of lesser ones, since what is
// found without takeovers is also found where some may be.
func (s *surveyor) level(ctx context.Context, alias rules.Alias) (Level, error) {
	c := &climber{surveyor: s, ctx: ctx, alias: alias}
	if n := len(s.survey.Levels); n > 0 {
		c.points = slices.Clone(s.survey.Levels[n-1].Points)
	}
	for _, p := range c.points {
		if p.ExtraMACs == 0 { // no takeovers are for less work
			c.spans = append(c.spans, budgets{p.Required, p.most})
		}
	}
	err := c.withoutPieces()
	if err == nil {
		err = c.find()
	}
	return Level{Alias: alias, Points: worthwhile(c.points), Interrupted: ctx.Err() != nil, NotCut: c.notCut}, err
}

// withoutPieces adds the point of the level that is in pieces nowhere, unless a lesser level has one
// that is as good.
func (c *climber) withoutPieces() error {
	f := c.uncut[c.alias]
	if f == nil || !f.done() {
		return nil
	}
	r := &f.report.Rungs[slices.IndexFunc(f.report.Rungs, func(r Rung) bool { return f.goal.met(&r) })]
	if slices.ContainsFunc(c.points, func(p Point) bool { return uncutPoint(p) && p.Required <= r.Required }) {
		return nil
	}
	c.spans = append(c.spans, budgets{r.Required, f.goal.Budget})
	return c.add(Point{Rung: *r, Alias: c.alias, Budget: r.Required, most: f.goal.Budget})
}

// worthwhile returns the points that no other is as good as, by falling arena. Where pieces are for
// no work there is also the one of the least arena without pieces, which needs no operator more, and
// the one without takeovers, which asks for nothing at all.
func worthwhile(points []Point) (kept []Point) {
	slices.SortStableFunc(points, func(a, b Point) int {
		return cmp.Or(cmp.Compare(a.Required, b.Required), cmp.Compare(a.ExtraMACs, b.ExtraMACs))
	})
	for _, p := range points {
		better := len(kept) == 0 || p.ExtraMACs < kept[len(kept)-1].ExtraMACs
		if better || uncutPoint(p) && !slices.ContainsFunc(kept, uncutPoint) || plainPoint(p) && !slices.ContainsFunc(kept, plainPoint) {
			kept = append(kept, p)
		}
	}
	slices.Reverse(kept)
	return kept
}

// plainPoint reports whether a point is the model with a plan, and maybe in another order.
func plainPoint(p Point) bool { return uncutPoint(p) && p.Alias == rules.NoAlias }

// uncutPoint reports whether a point is in pieces nowhere.
func uncutPoint(p Point) bool { return len(p.Stages) == 0 }

// find tries budgets, until ctx ends: that of the best plan, some below it, the least that is in
// sight then, and those in the middle of the largest gaps between those that are known.
func (c *climber) find() error {
	most := c.base.best().Required
	for k := range mostBudgets {
		budget := c.middle(int64(leastGap * float64(most)))
		switch {
		case k < len(eighths):
			budget = most * eighths[k] / 8
		case k == len(eighths):
			budget = min(c.sight, most)
		case len(worthwhile(slices.Clone(c.points))) >= enough:
			return nil
		}
		if budget <= 0 || c.ctx.Err() != nil {
			return nil
		}
		if err := c.settle(budget); err != nil {
			return err
		}
	}
	return nil
}

// middle returns the middle of the largest gap between budgets of which it is known what they
// lead to, 0 where no gap is larger than so many bytes.
func (c *climber) middle(gap int64) (budget int64) {
	slices.SortFunc(c.spans, func(a, b budgets) int { return cmp.Compare(a.least, b.least) })
	from := c.failed
	for _, b := range c.spans {
		if b.least-from > gap {
			gap, budget = b.least-from, from+(b.least-from)/2
		}
		from = max(from, b.most)
	}
	return budget
}
