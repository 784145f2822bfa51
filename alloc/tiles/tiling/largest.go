package tiling

import "sort"

// perSize is how many tiles take as long to look at as a size.
const perSize = 32

// largest returns the largest number from least to most for which fits holds, 0 where it finds none:
// the size of tiles, or of stripes, along an axis of some extent. Tiles may fit where smaller ones do
// not: four rows of an enlarged picture are made of one row, and three of them of two. So it tries
// sizes one by one, the largest first, until it has looked at as many tiles as there may be accesses,
// and only what is left by halves. To look at a size costs as much as some tiles. It returns 0 when the
// context has ended.
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

// bisect returns the largest number from 1 to most for which fits holds, 0 where there is none: if
// it holds for a number, it holds for lesser ones.
func bisect(most int64, fits func(int64) bool) int64 {
	return int64(sort.Search(int(most), func(k int) bool { return !fits(int64(k) + 1) }))
}
