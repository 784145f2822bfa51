package fit

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
)

// tries is the number of files built if no path with compatible plans is found.
const tries = 3

// leastHead returns the file of a path with approximately the smallest head for which there is
// a plan, or nil if none improves on the best rung.
func (c *choice) leastHead() (*attempt, error) {
	if len(c.promising) == 0 || !c.fit.aliases() {
		return c.rising()
	}
	most := c.fit.best().Head - 1
	var best *attempt
	for _, d := range c.descents(c.promising[0].Cost.Peak, most) {
		if best != nil && best.rung.Head <= d.limit {
			break
		}
		b, err := c.take(d.found, d.limit)
		switch {
		case err != nil && best != nil && c.ctx.Err() != nil:
			return best, nil
		case err != nil:
			return nil, err
		case b.rung.Head <= most: // otherwise several tensors cross a boundary, with incompatible offsets
			best, most = b, b.rung.Head-1
		}
	}
	if best != nil {
		return best, nil
	}
	if list := c.plain(); len(list) > 0 && list[0].Cost.Sure <= c.promising[0].Cost.Peak {
		return nil, nil // orPlain builds the smallest
	}
	return c.rising()
}

// descents returns the successful searches, the lowest limit first.
func (c *choice) descents(low, most int64) (list []*descent) {
	agrees := c.agrees(&c.promising[0])
	d := &descent{choice: c, left: c.fit.work(allLinks)}
	if !agrees { // more work is not worthwhile
		d.first = c.fit.work(allLinks / 2)
	}
	d.from(low, most)
	list = append(list, d)
	if d.left <= 0 && agrees {
		d = &descent{choice: c, left: c.fit.work(allLinks), roomy: true}
		d.from(leastWithRoom(low), most)
		list = append(list, d)
	}
	list = slices.DeleteFunc(list, func(d *descent) bool { return d.found == nil })
	slices.SortStableFunc(list, func(a, b *descent) int { return cmp.Compare(a.limit, b.limit) })
	return list
}

// agrees reports whether exactly one tensor crosses the boundary after each stage of a path. If
// there are more, plans of the parts seldom combine.
func (c *choice) agrees(p *parts.Path) bool {
	return !slices.ContainsFunc(p.Parts, func(part parts.Part) bool { return part.By.Stage() != nil && c.row.Crossing(part.To) < 0 })
}

// rising builds paths by rising peak until no further one can have a smaller head.
func (c *choice) rising() (best *attempt, err error) {
	limit := c.fit.best().Head - 1
	most := c.fit.work(tries)
	c.fit.bounded = c.fit.bounded || len(c.promising) > most
	for k := range c.promising[:min(most, len(c.promising))] {
		if c.ctx.Err() != nil || c.promising[k].Cost.Peak > limit {
			break
		}
		b, err := c.take(&c.promising[k], limit)
		if err != nil && c.ctx.Err() != nil && best != nil {
			return best, nil
		}
		if err != nil {
			return nil, err
		}
		switch {
		case b.rung.Head <= limit:
			best, limit = b, b.rung.Head-1
		case b.rung.Operators > large && c.fit.scale <= 1: // each takes about a second
			c.fit.bounded = true
			return best, nil
		}
	}
	return best, nil
}
