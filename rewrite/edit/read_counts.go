package edit

import "sort"

// readCounts counts the readers of the bytes of each range.
type readCounts struct {
	ranges []freeRange
	// exact counts, per range, readers of exactly that range. others holds the differences
	// between neighbouring ranges in the number of other readers.
	exact, others []int
}

func newReadCounts(ranges []freeRange) *readCounts {
	return &readCounts{ranges, make([]int, len(ranges)), make([]int, len(ranges)+1)}
}

// add counts a reader of the bytes [from, to); whole reports whether it reads a buffer's data.
func (c *readCounts) add(from, to int64, whole bool) {
	first, last := c.overlapping(from, to)
	switch {
	case first >= last:
	case whole && last-first == 1 && c.ranges[first].from == from && c.ranges[first].to == to:
		c.exact[first]++
	default:
		c.others[first]++
		c.others[last]--
	}
}

// overlapping returns the ranges [first, last) that overlap the bytes [from, to).
func (c *readCounts) overlapping(from, to int64) (first, last int) {
	first = sort.Search(len(c.ranges), func(i int) bool { return c.ranges[i].to > from })
	last = sort.Search(len(c.ranges), func(i int) bool { return c.ranges[i].from >= to })
	return first, last
}

// touched reports whether any range overlaps the bytes [from, to).
func (c *readCounts) touched(from, to int64) bool {
	first, last := c.overlapping(from, to)
	return first < last
}

// readExactly returns the ranges read exactly the given number of times, always as a whole.
func (c *readCounts) readExactly(times int) (list []freeRange) {
	others := 0
	for i, r := range c.ranges {
		if others += c.others[i]; others == 0 && c.exact[i] == times {
			list = append(list, r)
		}
	}
	return list
}
