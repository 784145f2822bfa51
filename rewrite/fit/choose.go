package fit

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite"
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
	// ctx ends with all, searching while there is time yet to build what is found.
	ctx, searching context.Context
	row            *row
	known          *prospects
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
	if best == nil && err == nil && !c.least() {
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

// orLarger returns a path that meets a budget of the head alone in a larger arena, or what was
// found without.
func (c *choice) orLarger(found *built) (*built, error) {
	c.larger = true
	c.list = c.promising(c.points)
	b, err := c.routed()
	if err == nil && b != nil && c.goal.met(b.rung) {
		return b, nil
	}
	c.larger = false
	if found != nil && c.ctx.Err() != nil {
		err = nil
	}
	return found, err
}

// nearest returns a path that comes close to the budget, nil where none is better than what
// there is.
func (c *choice) nearest() (*built, error) {
	list := c.near(c.points)
	for k := range list[:min(tries, len(list))] {
		b, err := c.take(&list[k], c.limit())
		if err != nil || c.better(b.rung) {
			return b, err
		}
	}
	return nil, nil
}

// orPlain returns what was found with tensors that share memory, or the best without them,
// where that is better: pieces as small as can be are not always found to share any.
func (c *choice) orPlain(best *built) (*built, error) {
	edges := slices.Clone(c.known.edges)
	for k := range edges {
		edges[k].peak = edges[k].sure
	}
	list := c.promising(frontier(edges, len(c.row.breadth)))
	if len(list) == 0 || best != nil && (!c.least() || best.rung.Head <= list[0].sure) || c.ctx.Err() != nil {
		return best, nil
	}
	plain, err := c.take(&list[0], c.limit())
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

// take builds a path and measures it, with a plan within a limit if there is one.
func (c *choice) take(p *point, limit int64) (*built, error) {
	m, err := c.row.cut(p, c.goal.Force)
	if err != nil {
		return nil, fmt.Errorf("cut %v: %w", p.stages(), err)
	}
	r, err := c.measure(c.ctx, "patches", m, c.goal.Alias, limit)
	if err != nil {
		return nil, err
	}
	return &built{p, m, r}, nil
}

// limit returns the head that is looked for.
func (f *fitter) limit() int64 {
	if g := f.goal; g.Head == 0 || g.Arena > 0 && g.Arena < g.Head {
		return g.Arena
	}
	return f.goal.Head
}
