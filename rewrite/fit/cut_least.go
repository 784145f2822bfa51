package fit

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
)

// tries is how many files are built where no path is found whose parts have plans that fit to
// each other.
const tries = 3

// leastHead returns the file of a path with about the least head for which there is a plan, nil
// where none is found that is better than what there is.
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
		case b.rung.Head <= most: // else more than one tensor was handed on, and they did not agree
			best, most = b, b.rung.Head-1
		}
	}
	if best != nil {
		return best, nil
	}
	if list := c.plain(); len(list) > 0 && list[0].Cost.Sure <= c.promising[0].Cost.Peak {
		return nil, nil // nothing is smaller than what orPlain builds
	}
	return c.rising()
}

// descents returns the searches that found something, that of the least limit first.
func (c *choice) descents(low, most int64) (list []*descent) {
	agrees := c.agrees(&c.promising[0])
	d := &descent{choice: c, left: c.fit.work(allLinks)}
	if !agrees { // what takes more is not worth it
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

// agrees reports whether the stages of a path hand on one tensor each: where there are more,
// plans of the parts seldom are one of the whole.
func (c *choice) agrees(p *parts.Path) bool {
	return !slices.ContainsFunc(p.Parts, func(part parts.Part) bool { return part.By.Stage() != nil && c.row.Crossing(part.To) < 0 })
}

// rising builds paths by rising peaks, until no further one can have a smaller head.
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
