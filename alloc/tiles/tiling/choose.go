package tiling

import "math"

// choose joins operators into cascades that lower the peak of bytes in use off chip. It finds the lowest
// peak, and then blocks with this peak that join the fewest operators. singles are the blocks of one
// operator each. If the context ends, choose uses the cascades found so far.
func (n *network) choose(singles []*block) []*block {
	if n.Cascade < 2 || len(singles) < 2 {
		return singles
	}
	found := n.cascades(singles)
	n.interrupted = n.ctx.Err() != nil
	peak := cheapestPath(found, func(p candidate) int64 { return p.live }, func(a, b int64) int64 { return max(a, b) })
	most := peak.cost
	fewest := cheapestPath(found, func(p candidate) int64 {
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

// A candidate block is a block with its peak of bytes in use off chip.
type candidate struct {
	block *block
	live  int64
}

// cascades returns for each operator the blocks that end with it: the operator by itself, and the best
// cascade of each length, the shortest first. It tries cascades in order of length, so that all operators
// have some when the context ends.
func (n *network) cascades(singles []*block) [][]candidate {
	found := make([][]candidate, len(singles))
	for k, b := range singles {
		found[k] = []candidate{{b, n.live(b)}}
	}
	closed := make([]bool, len(singles)) // operators that no longer cascade can end with
	for more := 1; more < min(n.Cascade, len(singles)); more++ {
		for last := more; last < len(singles); last++ {
			if n.ctx.Err() != nil {
				return found
			}
			if closed[last] {
				continue
			}
			// An operator that prevents a cascade also prevents longer ones that contain it.
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

// best returns the cascade with the lowest peak off chip, among stripe heights; the highest stripes win
// ties. It returns false if none is better than the operators by themselves.
func (c *cascade) best(found [][]candidate) (best candidate, ok bool) {
	var alone int64
	for k := c.first; k <= c.last; k++ {
		alone = max(alone, found[k][0].live)
	}
	for stripe := c.maxStripe(); stripe > 0; stripe /= 2 {
		b := c.block(stripe)
		if b == nil || b.peakOnChip() > c.OnChip {
			continue
		}
		if live := c.live(b); live < alone && (!ok || live < best.live) {
			best, ok = candidate{b, live}, true
		}
	}
	return best, ok
}

// maxStripe returns the largest number of rows of a stripe.
func (c *cascade) maxStripe() int64 {
	if c.Most > 0 && c.Cut != Pixels {
		return min(c.Most, c.height())
	}
	return c.height()
}

// count returns the number of accesses of all blocks.
func count(blocks []*block) (accesses int) {
	for _, b := range blocks {
		for _, s := range b.steps {
			accesses += len(s.touches)
		}
	}
	return accesses
}

// A path is blocks that cover consecutive operators from the first one on, with their total cost.
type path struct {
	cost   int64
	blocks []*block
}

// cheapestPath returns the blocks of least cost that cover all operators.
func cheapestPath(found [][]candidate, cost func(candidate) int64, add func(a, b int64) int64) path {
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
	w := path{cost: best[len(found)].cost, blocks: make([]*block, 0, len(found))}
	for k := len(found); k > 0; k = best[k].by.first {
		w.blocks = append([]*block{best[k].by}, w.blocks...)
	}
	return w
}
