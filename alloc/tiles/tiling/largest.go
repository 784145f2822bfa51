package tiling

import "sort"

// perSize is the cost of a size in tiles.
const perSize = 32

// largest returns the largest size of tiles or stripes in [least, most] that fits along an axis of some
// extent, or 0. Fitting is not monotonic: four rows of an enlarged image may be made of one row, and
// three of them of two. So largest tries sizes in descending order until the number of tiles equals the
// largest number of accesses, and bisects the rest. It returns 0 if the context has ended.
func (n *network) largest(extent, least, most int64, fits func(int64) bool) int64 {
	for looked := int64(0); most >= least && looked <= int64(n.MaxAccesses); most-- {
		if n.ctx.Err() != nil {
			return 0
		}
		if fits(most) {
			return most
		}
		looked += perSize + extent/most
	}
	if found := bisect(most-least+1, func(k int64) bool { return fits(least - 1 + k) }); found > 0 {
		return least - 1 + found
	}
	return 0
}

// bisect returns the largest number in [1, most] that fits, or 0, if fits is monotonic: all numbers below
// one that fits must fit.
func bisect(most int64, fits func(int64) bool) int64 {
	return int64(sort.Search(int(most), func(k int) bool { return !fits(int64(k) + 1) }))
}
