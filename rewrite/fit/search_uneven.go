package fit

import (
	"cmp"
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
	"github.com/tflarena/tflarena/tflite"
)

// orUneven searches once more if head and arena budgets are not met together: with tiles of
// different sizes, fewer are needed for the same head. If the goal permits overlaps, it also
// searches lower levels, as [fitter.orLesser] does.
func (f *fitter) orUneven(ctx context.Context, own *tflite.Model) error {
	if f.goal.plainly || f.goal.HeadBudget == 0 || f.goal.Budget == 0 || f.done() || f.report.Interrupted {
		return nil
	}
	levels := f.goal.Alias.UpTo()
	slices.Reverse(levels)
	if f.goal.alone || !f.goal.Alias.Overlaps() {
		levels = levels[:1]
	}
	for _, alias := range levels[:min(2, len(levels))] {
		if f.done() || f.report.Interrupted {
			break
		}
		goal := *f.goal
		goal.Alias = alias
		more := newFitter(own, goal)
		more.costs, more.finest, more.uneven = f.costs, true, true
		if err := more.start(ctx); err != nil {
			return err
		}
		if err := more.climb(ctx, more.plan, more.order, more.cleanUp, more.cutUneven); err != nil {
			return err
		}
		if f.report.Interrupted = more.report.Interrupted; more.done() {
			f.report.Rungs = more.report.Rungs
		}
	}
	return nil
}

// cutUneven builds the paths that leave the largest part of both budgets free, and searches for
// the smallest head of each, until one meets the budgets. With so many kinds of stages,
// compatible plans of the parts are seldom found. A plan of the whole is always found, and a
// further search improves it.
func (f *fitter) cutUneven(ctx context.Context) error {
	v, err := f.micro(f.model)
	if err != nil || !parts.Straight(v) {
		return err
	}
	if err := f.standing(ctx); err != nil {
		return err
	}
	row := f.row(v, f.fine())
	_, paths := f.candidates(ctx, row)
	c := &choice{fit: f, ctx: ctx, row: row, paths: paths, promising: f.promising(paths)}
	slices.SortStableFunc(c.promising, func(a, b parts.Path) int { return cmp.Compare(f.tightness(a.Cost), f.tightness(b.Cost)) })
	for k := range c.promising[:min(f.work(tries), len(c.promising))] {
		l, err := c.leastOf(&c.promising[k])
		if err != nil {
			return err
		}
		if b := l.best(); f.goal.met(b) && f.right(b) {
			f.report.Rungs = l.report.Rungs
			return nil
		}
	}
	return nil
}

// leastOf builds a path and searches for the smallest head of its model.
func (c *choice) leastOf(p *parts.Path) (*fitter, error) {
	a, err := c.take(p, c.fit.goal.HeadBudget)
	if err != nil {
		return nil, err
	}
	if a.rung.ExtraMACs, a.rung.Stages = p.Cost.MACs, p.Stages(); c.fit.aliases() {
		a.rung.Name = "aliases"
	}
	l := c.fit.branch(c.fit.goal.Alias, c.fit.scale)
	l.goal.HeadBudget, l.goal.Budget = 0, 0
	l.report.Rungs, l.model = append(l.report.Rungs, *a.rung), a.model
	return l, l.again(c.ctx)
}

// tightness returns the fraction of a budget that a path probably needs, the larger one of both
// budgets.
func (f *fitter) tightness(c parts.Cost) float64 {
	return max(float64(c.Peak)/float64(f.goal.HeadBudget), float64(f.arena(c.Peak, c))/float64(f.goal.Budget))
}
