package fit

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
	"github.com/tflarena/tflarena/rewrite/fit/internal/route"
)

// mostLimits is how many limits of the head are tried where it is the whole arena that is
// bounded, and mostLinks how many plans of links are looked for below each of them.
const (
	mostLimits = 6
	mostLinks  = 3000
)

// otherPrice is how many prices are left out when a path is looked for once more.
const otherPrice = 5

// withinBudget returns the file of the cheapest path whose parts have plans that fit to each other,
// nil where none is found that meets the goal.
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

// A way is how a path within a limit is looked for: from which price on, and with parts of which
// peak in bytes.
type way struct {
	from int
	peak int64
}

// ways returns what is tried one after the other. At other prices other paths come first, if one is
// not found, or the whole has no plan. Where there are many fine stages those that leave room come last.
func (c *choice) ways(limit int64) []way {
	list := []way{{0, limit}, {otherPrice, limit}}
	if c.fit.finest && c.fit.aliases() {
		list = append(list, way{0, limit - limit/margin})
	}
	return list
}

// limits returns the heads to look for: the budget, or what the tails of the cheapest paths
// leave of the arena's.
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

// prices returns what to ask for a multiply-accumulate, until a path is affordable: as much
// as for memory first, then more, for less work, and then less, for less memory. Where a
// budget bounds memory anyway the highest comes first.
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

// router returns a search for paths within a limit, of parts of some peak, both in bytes.
func (c *choice) router(limit, peak int64) *route.Router {
	return c.links.Router(c.ctx, route.Budget{Limit: limit, Peak: peak, Plans: c.fit.work(mostLinks)})
}

// by returns the first path of a router that is affordable, by one price after another.
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

// affordable reports whether a path is a gain, and within the budgets, when its plan is within
// a limit.
func (c *choice) affordable(p parts.Cost, limit int64) bool {
	most := c.fit.goal.Budget
	if most == 0 {
		most = max(c.fit.best().Required, c.fit.room)
	}
	return c.fit.cheap(p) && c.fit.arena(limit, p) <= most
}
