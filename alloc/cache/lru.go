package cache

// An lru simulates a cache: each set has a ring of its lines, the most recently used one first.
//
// Nodes are the lines of memory, followed by the heads of the rings. An access to a line takes constant
// time, whatever the number of ways.
type lru struct {
	Geometry
	lines      int32 // of memory
	next, prev []int32
	held       []int32 // number of lines by set
}

// absent is the link of a line that is not in the cache.
const absent = -1

// newLRU returns an empty cache of a memory of some bytes.
func newLRU(g Geometry, bytes int64) *lru {
	lines, sets := (bytes+g.Line-1)/g.Line, g.Sets()
	return &lru{Geometry: g, lines: int32(lines), next: make([]int32, lines+sets), prev: make([]int32, lines+sets), held: make([]int32, sets)}
}

// clear empties the cache.
func (c *lru) clear() {
	for i := range c.next[:c.lines] {
		c.next[i] = absent
	}
	for i := c.lines; int(i) < len(c.next); i++ {
		c.next[i], c.prev[i] = i, i
	}
	clear(c.held)
}

// touch accesses size bytes, at least one, from an address on. It returns the number of lines and of
// misses.
func (c *lru) touch(address, size int64) (accesses, misses int64) {
	first, last := int32(address/c.Line), int32((address+size-1)/c.Line)
	mask := int32(len(c.held) - 1)
	for line := first; line <= last; line++ {
		head := c.lines + line&mask
		if c.next[line] != absent {
			c.unlink(line)
		} else if misses++; int64(c.held[line&mask]) < c.Ways {
			c.held[line&mask]++
		} else {
			oldest := c.prev[head]
			c.unlink(oldest)
			c.next[oldest] = absent
		}
		second := c.next[head]
		c.next[line], c.prev[line] = second, head
		c.next[head], c.prev[second] = line, line
	}
	return int64(last-first) + 1, misses
}

func (c *lru) unlink(line int32) {
	after, before := c.next[line], c.prev[line]
	c.next[before], c.prev[after] = after, before
}
