package distances

import (
	"math"

	"golang.org/x/exp/slices"
)

// A core is the records that decide whether a problem fits into a capacity.
type core struct {
	// parts are sets of records that no pair joins.
	parts [][]int
	// later are the others: they fit however the parts are placed, the last one first.
	later []int
}

// reduce drops records that fit within a capacity however all others are placed: those around them
// exclude fewer offsets than there are.
func (n *pairGraph) reduce(capacity int64) core {
	var c core
	out := make([]bool, len(n.records))
	free := make([]int64, len(n.records))
	var ready []int
	for i, r := range n.records {
		if r.Pinned || r.Size > capacity {
			free[i] = math.MinInt64 / 2
			continue
		}
		free[i] = (capacity-r.Size)/r.Alignment() + 1
		for _, a := range n.arcs[i] {
			free[i] -= a.blocks
		}
		if free[i] > 0 {
			ready = append(ready, i)
		}
	}
	for len(ready) > 0 {
		i := ready[0]
		ready, out[i] = ready[1:], true
		c.later = append(c.later, i)
		for _, a := range n.arcs[i] {
			if out[a.to] || free[a.to] > 0 {
				continue
			}
			if free[a.to] += n.blocksOf(a.to, i); free[a.to] > 0 {
				ready = append(ready, a.to)
			}
		}
	}
	seen := slices.Clone(out)
	for i := range n.records {
		if seen[i] {
			continue
		}
		seen[i] = true
		part := []int{i}
		for k := 0; k < len(part); k++ {
			for _, a := range n.arcs[part[k]] {
				if !seen[a.to] {
					seen[a.to] = true
					part = append(part, a.to)
				}
			}
		}
		slices.Sort(part)
		c.parts = append(c.parts, part)
	}
	// The smallest first: a small part may refute the whole.
	slices.SortStableFunc(c.parts, func(a, b []int) int { return len(a) - len(b) })
	return c
}
