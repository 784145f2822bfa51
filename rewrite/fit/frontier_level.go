package fit

import (
	"cmp"
	"context"
	"sort"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
)

const (
	// enough is the target number of points in a level, mostBudgets the maximum number of
	// budgets tried.
	enough, mostBudgets = 6, 12
	// leastGap is the minimum distance of two budgets, as a fraction of the best plan's arena.
	leastGap = 1. / 64
)

// eighths are the first budgets, in eighths of the best plan's arena. Tiling searches take
// longer for smaller budgets, so the fast ones come first.
var eighths = []int64{8, 7, 6, 4}

// climber searches for the points of one level.
type climber struct {
	*surveyor
	ctx    context.Context
	alias  rules.Alias
	points []Point
	// spans are the budgets with known results, above failed, the largest budget that was not
	// met.
	spans  []budgets
	failed int64
	// sight is the smallest estimated arena, 0 if there is none.
	sight int64
	// leastHead is the result of the search for the smallest head, or nil.
	leastHead *Report
	// notCut is the reason why the model could not be tiled.
	notCut string
}

// budgets is a range of arenas in bytes, both ends inclusive.
type budgets struct{ least, most int64 }

// level searches for the points of a level. It begins with the points of lower levels, since
// results without in-place outputs remain valid with them.
func (s *surveyor) level(ctx context.Context, alias rules.Alias) (Level, error) {
	c := &climber{surveyor: s, ctx: ctx, alias: alias}
	if n := len(s.survey.Levels); n > 0 {
		c.points = slices.Clone(s.survey.Levels[n-1].Points)
	}
	for _, p := range c.points {
		if p.ExtraMACs == 0 { // in-place outputs cannot lower zero extra MACs
			c.spans = append(c.spans, budgets{p.Required, p.most})
		}
	}
	err := c.withoutPieces()
	if err == nil {
		err = c.find()
	}
	return Level{Alias: alias, Points: worthwhile(c.points), Interrupted: ctx.Err() != nil, NotCut: c.notCut}, err
}

// withoutPieces adds the level's untiled point, unless a lower level has an equally good one.
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

// worthwhile returns the undominated points, in order of falling arena. If tiling costs no
// MACs, it also returns the untiled point with the smallest arena, which adds no operator, and
// the one without in-place outputs, which makes no demands on kernels.
func worthwhile(points []Point) (kept []Point) {
	sort.SliceStable(points, func(i, j int) bool {
		a, b := &points[i], &points[j]
		return a.Required < b.Required || a.Required == b.Required && a.ExtraMACs < b.ExtraMACs
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

// plainPoint reports whether a point is the model with a plan and possibly another order.
func plainPoint(p Point) bool { return uncutPoint(p) && p.Alias == rules.NoAlias }

// uncutPoint reports whether a point is untiled.
func uncutPoint(p Point) bool { return len(p.Stages) == 0 }

// find tries budgets until ctx ends: the best plan's arena, some below it, the smallest
// estimate, and then the middles of the largest gaps between known budgets.
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

// middle returns the middle of the largest gap between known budgets, or 0 if no gap exceeds
// the given bytes.
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
