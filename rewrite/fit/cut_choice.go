package fit

import (
	"context"
	"errors"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
	"github.com/tflarena/tflarena/rewrite/fit/internal/route"
)

// choice is the search for the cheapest path that meets the goal.
type choice struct {
	fit   *fitter
	ctx   context.Context
	row   *parts.Row
	links *route.Links
	// paths are all undominated paths. promising are those that may meet the goal, subject to
	// planning, the cheapest or lowest peak first.
	paths, promising []parts.Path
}

// choose returns the cheapest path that meets the goal, or approximately the one with the
// smallest head without budgets. It returns nil if none improves on the best rung.
func (c *choice) choose() (*attempt, error) {
	look := c.withinBudget
	if c.fit.least() {
		look = c.leastHead
	}
	best, err := look()
	if err == nil && c.fit.aliases() {
		best, err = c.orPlain(best)
	}
	if err == nil && !c.fit.least() && !c.fit.finest && (best == nil || !c.fit.better(best.rung)) {
		best, err = c.nearest()
	}
	if refused := (*rewrite.RefusedError)(nil); errors.As(err, &refused) {
		c.fit.report.NotCut = refused.Error()
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if best != nil && !c.fit.better(best.rung) {
		return nil, nil
	}
	return best, nil
}

// orPlain returns best, or the best path without shared memory if that is better: for the
// smallest tiles, sharing is not always found.
func (c *choice) orPlain(best *attempt) (*attempt, error) {
	list, least := c.plain(), c.fit.least()
	if len(list) == 0 || best != nil && (!least || best.rung.Head <= list[0].Cost.Sure) || c.ctx.Err() != nil {
		return best, nil
	}
	plain, err := c.take(&list[0], c.limitOf(&list[0]))
	switch {
	case err != nil && c.ctx.Err() != nil && best != nil:
		return best, nil
	case err != nil:
		return nil, err
	case best != nil && best.rung.Head <= plain.rung.Head || !least && !c.fit.goal.met(plain.rung):
		return best, nil
	}
	return plain, nil
}

// plain is [fitter.promising] without shared memory.
func (c *choice) plain() []parts.Path {
	list := slices.Clone(c.links.Parts())
	for k := range list {
		list[k].Cost.Peak = list[k].Cost.Sure
	}
	return c.fit.promising(parts.Frontier(c.ctx, list, c.row.Len()))
}

// nearest returns a path that comes close to the budget, or nil if none improves on the best
// rung.
func (c *choice) nearest() (*attempt, error) {
	list := c.fit.near(c.paths)
	for k := range list[:min(c.fit.work(tries), len(list))] {
		b, err := c.take(&list[k], c.limitOf(&list[k]))
		if err != nil || c.fit.better(b.rung) {
			return b, err
		}
	}
	return nil, nil
}

// hint records a rung that meets a head budget in a larger arena than the original.
func (c *choice) hint() {
	room := c.fit.room
	defer func() { c.fit.room = room }()
	c.fit.room = math.MaxInt64
	if b, err := c.withinBudget(); err == nil && b != nil && c.fit.goal.met(b.rung) {
		c.fit.report.Larger = b.rung
	}
}

// limitOf returns the target head for a path, zero for the smallest.
func (c *choice) limitOf(p *parts.Path) int64 {
	g := c.fit.goal
	rest := max(g.Budget-c.fit.tail-p.Cost.Tail, 0)
	if g.Budget > 0 && (g.HeadBudget == 0 || rest < g.HeadBudget) {
		return rest
	}
	return g.HeadBudget
}
