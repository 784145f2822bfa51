package fit

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
	"github.com/tflarena/tflarena/rewrite/fit/internal/route"
)

// mostLimits is the maximum number of head limits tried for an arena budget, mostLinks the
// maximum number of link plans searched within each of them.
const (
	mostLimits = 6
	mostLinks  = 3000
)

// otherPrice is the number of prices skipped in the second search for a path.
const otherPrice = 5

// withinBudget returns the file of the cheapest path with compatible plans of its parts that
// meets the goal, or nil.
func (c *choice) withinBudget() (*attempt, error) {
	for _, limit := range c.limits() {
		var first parts.Cost
		for _, w := range c.ways(limit) {
			p, ok := c.by(c.prices()[w.from:], c.router(limit, w.peak))
			if !ok || p.Cost == first {
				continue
			}
			first = p.Cost
			b, err := c.take(&p, limit)
			if err != nil || c.fit.goal.met(b.rung) && c.fit.better(b.rung) {
				return b, err
			}
		}
	}
	return nil, nil
}

// way is a variant of the search for a path within a limit: the index of the first price, and
// the maximum peak of a part in bytes.
type way struct {
	from int
	peak int64
}

// ways returns the variants to try in order. Other prices lead to other paths, if no path is
// found or the whole has no plan. If there are many fine stages, parts that leave room in the
// limit are tried last.
func (c *choice) ways(limit int64) []way {
	list := []way{{0, limit}, {otherPrice, limit}}
	if c.fit.finest && c.fit.aliases() {
		list = append(list, way{0, limit - limit/margin})
	}
	return list
}

// limits returns the heads to try: the budget, or the rest of the arena budget after the tails
// of the cheapest paths.
func (c *choice) limits() (list []int64) {
	g := c.fit.goal
	if g.Budget == 0 {
		return []int64{g.HeadBudget}
	}
	for _, p := range c.promising {
		limit := (g.Budget - c.fit.tail - p.Cost.Tail) / parts.Align * parts.Align
		if g.HeadBudget > 0 {
			limit = min(limit, g.HeadBudget)
		}
		if !slices.Contains(list, limit) && len(list) < mostLimits {
			list = append(list, limit)
		}
	}
	return list
}

// prices returns the prices per multiply-accumulate to try until a path is affordable: first
// equal to the price of memory, then higher, for fewer MACs, then lower, for less memory. With
// an arena budget, which bounds memory anyway, the highest comes first.
func (c *choice) prices() (list []float64) {
	const steps, step = 10, 3.0
	price := 1.0
	for range steps {
		list, price = append(list, price), price*step
	}
	if c.fit.goal.Budget > 0 {
		slices.Reverse(list)
	}
	for price = 1 / step; len(list) < 3*steps/2; price /= step {
		list = append(list, price)
	}
	return list
}

// router returns a search for paths within a limit, with parts of at most a peak, both in
// bytes.
func (c *choice) router(limit, peak int64) *route.Router {
	return c.links.Router(c.ctx, route.Budget{Limit: limit, Peak: peak, Plans: c.fit.work(mostLinks)})
}

// by returns a router's first affordable path, trying the prices in order.
func (c *choice) by(prices []float64, r *route.Router) (parts.Path, bool) {
	for _, work := range prices {
		p, ok := r.Cheapest(func(p *parts.Part) float64 { return c.fit.growth(p.Cost, work) })
		if !ok {
			break
		}
		if c.affordable(p.Cost, r.Limit()) {
			return p, true
		}
	}
	c.fit.bounded = c.fit.bounded || r.Left() <= 0
	return parts.Path{}, false
}

// affordable reports whether a path with a plan within limit is a gain and within the budgets.
func (c *choice) affordable(p parts.Cost, limit int64) bool {
	most := c.fit.goal.Budget
	if most == 0 {
		most = max(c.fit.best().Required, c.fit.room)
	}
	return c.fit.cheap(p) && c.fit.arena(limit, p) <= most
}
