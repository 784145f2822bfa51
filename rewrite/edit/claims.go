package edit

import "sort"

// claims counts the readers of the bytes of each room.
type claims struct {
	rooms []room
	// exact counts, per room, readers of exactly that room. others holds the differences
	// between neighbouring rooms in the number of other readers.
	exact, others []int
}

func newClaims(rooms []room) *claims {
	return &claims{rooms, make([]int, len(rooms)), make([]int, len(rooms)+1)}
}

// add counts a reader of the bytes [from, to); whole reports whether it reads a buffer's data.
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

// between returns the rooms [first, last) that overlap the bytes [from, to).
func (c *claims) between(from, to int64) (first, last int) {
	first = sort.Search(len(c.rooms), func(i int) bool { return c.rooms[i].to > from })
	last = sort.Search(len(c.rooms), func(i int) bool { return c.rooms[i].from >= to })
	return first, last
}

// touched reports whether any room overlaps the bytes [from, to).
func (c *claims) touched(from, to int64) bool {
	first, last := c.between(from, to)
	return first < last
}

// held returns the rooms read exactly the given number of times, always as a whole.
func (c *claims) held(times int) (list []room) {
	others := 0
	for i, r := range c.rooms {
		if others += c.others[i]; others == 0 && c.exact[i] == times {
			list = append(list, r)
		}
	}
	return list
}
