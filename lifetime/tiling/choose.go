package tiling

import "math"

// choose joins operators into cascades where that lowers the most bytes in use off chip: it finds
// the lowest peak that blocks can have, and then, of all ways to reach it, one that joins the
// fewest operators. singles are the blocks of one operator each.
func (n *network) choose(singles []*block) []*block {
	found := make([][]priced, len(singles)) // by the last operator
	for k, b := range singles {
		found[k] = []priced{{b, n.live(b)}}
	}
	if n.Cascade < 2 || n.Given != nil {
		return singles
	}
	for k := range singles {
		for first := k - 1; first >= 0 && k-first < n.Cascade; first-- {
			if b, ok := n.bestStripes(first, k, found); ok {
				found[k] = append(found[k], b)
			}
		}
	}
	peak := lowest(found, func(p priced) int64 { return p.live }, func(a, b int64) int64 { return max(a, b) })
	most := peak.cost
	fewest := lowest(found, func(p priced) int64 {
		if p.live > most {
			return math.MaxInt32
		}
		return int64(p.block.last - p.block.first)
	}, func(a, b int64) int64 { return a + b })
	return fewest.blocks
}

// A priced block is one with the most bytes in use off chip while it runs.
type priced struct {
	block *block
	live  int64
}

// bestStripes returns operators as the cascade of which the fewest bytes are in use off chip: of
// equal ones that of the highest stripes. It returns false where they make no cascade that is
// any better than what they are by themselves.
func (n *network) bestStripes(first, last int, found [][]priced) (best priced, ok bool) {
	var alone int64
	for k := first; k <= last; k++ {
		alone = max(alone, found[k][0].live)
	}
	c := n.cascade(first, last)
	if c == nil {
		return best, false
	}
	for stripe := c.highest(); stripe > 0; stripe /= 2 {
		b := c.block(stripe)
		if b.most() > n.OnChip {
			continue
		}
		if live := n.live(b); live < alone && (!ok || live < best.live) {
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
