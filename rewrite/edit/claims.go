package edit

import "sort"

// The claims on rooms count what reads the bytes of rooms.
type claims struct {
	rooms []room
	// exact is how many read a room and nothing else, others the differences from room to
	// room of how many read something else of it.
	exact, others []int
}

func newClaims(rooms []room) *claims {
	return &claims{rooms, make([]int, len(rooms)), make([]int, len(rooms)+1)}
}

// add counts one that reads [from, to); whole says whether it is a buffer's data.
func (c *claims) add(from, to int64, whole bool) {
	first, last := c.between(from, to)
	switch {
	case first >= last:
	case whole && last-first == 1 && c.rooms[first].from == from && c.rooms[first].to == to:
		c.exact[first]++
	default:
		c.others[first]++
		c.others[last]--
	}
}

// between returns the rooms [first, last) that have bytes of [from, to).
func (c *claims) between(from, to int64) (first, last int) {
	first = sort.Search(len(c.rooms), func(i int) bool { return c.rooms[i].to > from })
	last = sort.Search(len(c.rooms), func(i int) bool { return c.rooms[i].from >= to })
	return first, last
}

// touched reports whether a room has bytes of [from, to).
func (c *claims) touched(from, to int64) bool {
	first, last := c.between(from, to)
	return first < last
}

// held returns the rooms that are read the given number of times, each as a whole.
func (c *claims) held(times int) (list []room) {
	others := 0
	for i, r := range c.rooms {
		if others += c.others[i]; others == 0 && c.exact[i] == times {
			list = append(list, r)
		}
	}
	return list
}
