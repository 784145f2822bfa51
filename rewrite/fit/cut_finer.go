package fit

import "github.com/tflarena/tflarena/lifetime/rules"

// finer looks once more for what meets a budget of the head, as the search for the least head does:
// among stages as fine as there are any, also of runs that are within the budget as they are. Parts
// that need nearly all of a budget seldom have plans that fit to each other, and finer ones leave
// room. It returns what was chosen before where nothing meets the budget, and when ctx ends.
func (c *choice) finer(v *rules.View, chosen *attempt) (*attempt, error) {
	f := c.fit
	d, err := f.choice(c.ctx, f.row(v, 0))
	if err == nil {
		d.finest = true
		best, failed := d.choose()
		if failed == nil && !f.misses(best) {
			return best, nil
		}
		err = failed
	}
	switch {
	case c.ctx.Err() != nil:
		return chosen, nil
	case err != nil:
		return nil, err
	}
	c.hint()
	d.hint()
	return chosen, nil
}
