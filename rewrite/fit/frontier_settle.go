package fit

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
)

// settle adds the point for a budget. If the budget is not met, it adds the point for the
// closest arena instead.
func (c *climber) settle(budget int64) error {
	near, err := c.follow(budget)
	if err == nil && near > 0 {
		_, err = c.follow(near)
	}
	return err
}

// follow adds the point for a budget, if a budget of exactly its required arena is met as well.
// If the budget is not met, it returns the closest arena, or 0 if nothing needs less than the
// best plan.
func (c *climber) follow(budget int64) (near int64, err error) {
	if c.known(budget) {
		return 0, nil
	}
	f, err := c.within(budget)
	if err != nil || c.ctx.Err() != nil {
		return 0, err
	}
	r := f.best()
	if !f.done() {
		if c.failed = max(c.failed, budget); r.Required < c.base.best().Required {
			return r.Required, nil
		}
		return 0, nil
	}
	least, err := c.within(r.Required)
	if err != nil || c.ctx.Err() != nil {
		return 0, err
	}
	c.spans = append(c.spans, budgets{r.Required, budget})
	if !least.done() {
		return 0, nil
	}
	p := Point{Rung: *r, Alias: c.alias, Budget: budget, most: budget}
	if b := least.best(); b.Required == r.Required && b.ExtraMACs <= r.ExtraMACs {
		p.Rung, p.Budget = *b, b.Required
	}
	return 0, c.add(p)
}

// known reports whether the result for a budget is known.
func (c *climber) known(budget int64) bool {
	return slices.ContainsFunc(c.spans, func(b budgets) bool { return b.least <= budget && budget <= b.most })
}

// add adds a point.
func (c *climber) add(p Point) error {
	m, err := p.model(c.own)
	if err != nil {
		return err
	}
	p.NewOperators = newOperators(c.own, m)
	c.points = append(c.points, p)
	return nil
}

// within does the work of [Fit] for an arena budget.
func (c *climber) within(budget int64) (*fitter, error) {
	base := c.base.branch(c.alias, 1)
	base.goal.Budget = budget
	f := *base
	f.report = &Report{Faults: base.report.Faults, OwnMACs: base.report.OwnMACs, Rungs: slices.Clone(base.report.Rungs)}
	if u := c.uncut[c.alias]; u != nil {
		f.report.Rungs = slices.Clone(u.report.Rungs)
	}
	for i := range f.report.Rungs {
		if f.goal.met(&f.report.Rungs[i]) {
			f.report.Rungs = f.report.Rungs[:i+1]
			return &f, nil
		}
	}
	f.report.Rungs = slices.Clone(base.report.Rungs)
	if _, err := f.round(c.ctx, base, 1); err != nil {
		return nil, err
	}
	for _, e := range f.report.Frontier {
		if arena := c.base.arena(e.Head, parts.Cost{Tail: e.Tail}); c.sight == 0 || arena < c.sight {
			c.sight = arena
		}
	}
	c.notCut = f.report.NotCut
	if c.leastHead != nil && !f.done() && !f.report.Interrupted {
		f.takeLeast(c.leastHead)
	}
	return &f, nil
}
