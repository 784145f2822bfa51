package fit

import (
	"context"
	"errors"
	"fmt"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/tflite"
)

// A built is a path with the model that it leads to.
type built struct {
	*point
	model *tflite.Model
	rung  *Rung
}

// A choice is the search for the cheapest path that meets the goal.
type choice struct {
	*fitter
	ctx   context.Context
	row   *row
	known *prospects
	// points are all paths, and list those that may meet the goal, were it not for their
	// plans: the cheapest first, or that of the least peak.
	points, list []point
}

// choose returns the cheapest path that meets the goal, or about the one of the smallest
// head; nil where none is better than what there is.
func (c *choice) choose() (*built, error) {
	look := c.routed
	if c.least() {
		look = c.lowest
	}
	best, err := look()
	if err == nil && c.aliases() {
		best, err = c.orPlain(best)
	}
	if err == nil && !c.least() && (best == nil || !c.better(best.rung)) {
		best, err = c.nearest()
	}
	if refused := (*rewrite.RefusedError)(nil); errors.As(err, &refused) {
		c.report.Left = refused.Error()
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if best != nil && !c.better(best.rung) {
		return nil, nil
	}
	return best, nil
}

// hint notes a rung that meets a budget of the head in an arena larger than there was.
func (c *choice) hint() {
	room := c.room
	defer func() { c.room = room }()
	c.room = math.MaxInt64
	if b, err := c.routed(); err == nil && b != nil && c.goal.met(b.rung) {
		c.report.Larger = b.rung
	}
}

// nearest returns a path that comes close to the budget, nil where none is better than what
// there is.
func (c *choice) nearest() (*built, error) {
	list := c.near(c.points)
	for k := range list[:min(c.work(tries), len(list))] {
		b, err := c.take(&list[k], c.limitOf(&list[k]))
		if err != nil || c.better(b.rung) {
			return b, err
		}
	}
	return nil, nil
}

// orPlain returns what was found with tensors that share memory, or the best without them,
// where that is better: pieces as small as can be are not always found to share any.
func (c *choice) orPlain(best *built) (*built, error) {
	list := c.plain()
	if len(list) == 0 || best != nil && (!c.least() || best.rung.Head <= list[0].sure) || c.ctx.Err() != nil {
		return best, nil
	}
	plain, err := c.take(&list[0], c.limitOf(&list[0]))
	switch {
	case err != nil && c.ctx.Err() != nil && best != nil:
		return best, nil
	case err != nil:
		return nil, err
	case best != nil && best.rung.Head <= plain.rung.Head || !c.least() && !c.goal.met(plain.rung):
		return best, nil
	}
	return plain, nil
}

// plain returns what [fitter.promising] does where no tensors share memory.
func (c *choice) plain() []point {
	edges := slices.Clone(c.known.edges)
	for k := range edges {
		edges[k].peak = edges[k].sure
	}
	return c.promising(frontier(c.ctx, edges, len(c.row.breadth)))
}

// take builds a path and measures it, with a plan within a limit if there is one. What was
// built before is not built again.
func (c *choice) take(p *point, limit int64) (*built, error) {
	key := fmt.Sprint(c.goal.Alias, limit, p.stages(), p.places)
	if b, ok := c.taken[key]; ok {
		rung := *b.rung
		return &built{p, b.model, &rung}, nil
	}
	b, err := c.build(p, limit)
	if err == nil && c.taken != nil && c.ctx.Err() == nil {
		rung := *b.rung
		c.taken[key] = &built{p, b.model, &rung}
	}
	return b, err
}

func (c *choice) build(p *point, limit int64) (*built, error) {
	m, err := c.row.cut(p, c.goal.Force)
	if err != nil {
		return nil, fmt.Errorf("cut %v: %w", p.stages(), err)
	}
	r, err := c.measure(c.ctx, "patches", m, pin.Options{Alias: c.goal.Alias, Limit: limit, Places: p.places})
	if err != nil {
		return nil, err
	}
	return &built{p, m, r}, nil
}

// limitOf returns the head that is looked for with a path, zero for the least.
func (c *choice) limitOf(p *point) int64 {
	g := c.goal
	rest := max(g.Arena-c.tail-p.tail, 0)
	if g.Arena > 0 && (g.Head == 0 || rest < g.Head) {
		return rest
	}
	return g.Head
}
