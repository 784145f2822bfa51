package tiling

import "math"

// choose joins operators into cascades where that lowers the most bytes in use off chip: it finds
// the lowest peak that blocks can have, and then, of all ways to reach it, one that joins the
// fewest operators. singles are the blocks of one operator each. When the context ends, the
// cascades are those that it has looked at by then.
func (n *network) choose(singles []*block) []*block {
	if n.Cascade < 2 || len(singles) < 2 {
		return singles
	}
	found := n.cascades(singles)
	n.interrupted = n.ctx.Err() != nil
	peak := lowest(found, func(p priced) int64 { return p.live }, func(a, b int64) int64 { return max(a, b) })
	most := peak.cost
	fewest := lowest(found, func(p priced) int64 {
		if p.live > most {
			return math.MaxInt32
		}
		return int64(p.block.last - p.block.first)
	}, func(a, b int64) int64 { return a + b })
	if count(fewest.blocks) > n.MaxAccesses {
		return singles
	}
	return fewest.blocks
}

// A priced block is one with the most bytes in use off chip while it runs.
type priced struct {
	block *block
	live  int64
}

// cascades returns for each operator the blocks that end with it: the operator by itself, and the
// best cascade of each number of operators, the shortest first. Short ones are looked at before all
// longer ones, so that there are some for all operators when the context ends.
func (n *network) cascades(singles []*block) [][]priced {
	found := make([][]priced, len(singles))
	for k, b := range singles {
		found[k] = []priced{{b, n.live(b)}}
	}
	closed := make([]bool, len(singles)) // where no more operators can be joined
	for more := 1; more < min(n.Cascade, len(singles)); more++ {
		for last := more; last < len(singles); last++ {
			if n.ctx.Err() != nil {
				return found
			}
			if closed[last] {
				continue
			}
			// What one operator of a cascade hinders, it hinders with more operators before it too.
			c := n.cascade(last-more, last)
			if closed[last] = c == nil; c == nil {
				continue
			}
			if b, ok := c.best(found); ok {
				found[last] = append(found[last], b)
			}
		}
	}
	return found
}

// best returns the cascade whose stripes have the fewest bytes in use off chip, and of equal ones the
// one with the highest stripes. It returns false if none is better than the operators by themselves.
func (c *cascade) best(found [][]priced) (best priced, ok bool) {
	var alone int64
	for k := c.first; k <= c.last; k++ {
		alone = max(alone, found[k][0].live)
	}
	for stripe := c.highest(); stripe > 0; stripe /= 2 {
		b := c.block(stripe)
		if b == nil || b.most() > c.OnChip {
			continue
		}
		if live := c.live(b); live < alone && (!ok || live < best.live) {
			best, ok = priced{b, live}, true
		}
	}
	return best, ok
}

// highest returns how many rows a stripe may have.
func (c *cascade) highest() int64 {
	if c.Most > 0 && c.Cut != Pixels {
		return min(c.Most, c.height())
	}
	return c.height()
}

// count returns how many accesses blocks have together.
func count(blocks []*block) (accesses int) {
	for _, b := range blocks {
		for _, s := range b.steps {
			accesses += len(s.touches)
		}
	}
	return accesses
}

// A way is blocks that cover the operators up to some place, with what they cost together.
type way struct {
	cost   int64
	blocks []*block
}

// lowest returns the blocks of the least cost that cover all operators.
func lowest(found [][]priced, cost func(priced) int64, add func(a, b int64) int64) way {
	type step struct {
		cost int64
		by   *block
	}
	best := make([]step, len(found)+1)
	for k, list := range found {
		best[k+1].cost = math.MaxInt64
		for _, p := range list {
			if c := add(best[p.block.first].cost, cost(p)); c < best[k+1].cost {
				best[k+1] = step{c, p.block}
			}
		}
	}
	w := way{cost: best[len(found)].cost, blocks: make([]*block, 0, len(found))}
	for k := len(found); k > 0; k = best[k].by.first {
		w.blocks = append([]*block{best[k].by}, w.blocks...)
	}
	return w
}
