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

// A choice is the search for the cheapest path that meets the goal.
type choice struct {
	fit   *fitter
	ctx   context.Context
	row   *parts.Row
	links *route.Links
	// paths are all that no other beats, and promising those that may meet the goal, were it
	// not for their plans: the cheapest first, or that of the least peak.
	paths, promising []parts.Path
}

// choose returns the cheapest path that meets the goal, or about the one of the smallest
// head; nil where none is better than what there is.
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

// orPlain returns what was found with tensors that share memory, or the best without them,
// where that is better: pieces as small as can be are not always found to share any.
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

// plain returns what [fitter.promising] does where no tensors share memory.
func (c *choice) plain() []parts.Path {
	list := slices.Clone(c.links.Parts())
	for k := range list {
		list[k].Cost.Peak = list[k].Cost.Sure
	}
	return c.fit.promising(parts.Frontier(c.ctx, list, c.row.Len()))
}

// nearest returns a path that comes close to the budget, nil where none is better than what
// there is.
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

// hint notes a rung that meets a budget of the head in an arena larger than there was.
func (c *choice) hint() {
	room := c.fit.room
	defer func() { c.fit.room = room }()
	c.fit.room = math.MaxInt64
	if b, err := c.withinBudget(); err == nil && b != nil && c.fit.goal.met(b.rung) {
		c.fit.report.Larger = b.rung
	}
}

// limitOf returns the head that is looked for with a path, zero for the least.
func (c *choice) limitOf(p *parts.Path) int64 {
	g := c.fit.goal
	rest := max(g.Budget-c.fit.tail-p.Cost.Tail, 0)
	if g.Budget > 0 && (g.HeadBudget == 0 || rest < g.HeadBudget) {
		return rest
	}
	return g.HeadBudget
}
