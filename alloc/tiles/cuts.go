package tiles

import (
	"math/bits"

	"golang.org/x/exp/slices"
)

// cuts are the addresses at which an access begins or ends, in order.
type cuts struct {
	// words has a bit for each byte of the arena up to the last cut, and before[k] counts the bits
	// set in words[:k]. For a large arena, words is nil and places is a sorted list of the cuts.
	words  []uint64
	before []int
	places []int64
}

// wordsPerAccess is the number of words per access above which sorting the places is faster.
const wordsPerAccess = 2

func newCuts(accesses []access) cuts {
	end := int64(0)
	for _, a := range accesses {
		end = max(end, a.hi)
	}
	if end/64 < wordsPerAccess*int64(len(accesses)) {
		return bitsOf(accesses, end)
	}
	places := make([]int64, 0, 2*len(accesses))
	for _, a := range accesses {
		places = append(places, a.lo, a.hi)
	}
	slices.Sort(places)
	return cuts{places: slices.Compact(places)}
}

func bitsOf(accesses []access, end int64) cuts {
	c := cuts{words: make([]uint64, end/64+1), before: make([]int, end/64+1)}
	for _, a := range accesses {
		c.words[a.lo/64] |= 1 << (a.lo % 64)
		c.words[a.hi/64] |= 1 << (a.hi % 64)
	}
	for k, w := range c.words[:end/64] {
		c.before[k+1] = c.before[k] + bits.OnesCount64(w)
	}
	return c
}

func (c *cuts) len() int {
	if c.words == nil {
		return len(c.places)
	}
	last := len(c.words) - 1
	return c.before[last] + bits.OnesCount64(c.words[last])
}

// index returns the index of a place, which must be a cut.
func (c *cuts) index(place int64) int {
	if c.words == nil {
		k, _ := slices.BinarySearch(c.places, place)
		return k
	}
	k := place / 64
	return c.before[k] + bits.OnesCount64(c.words[k]&(1<<(place%64)-1))
}

// byteAt returns the place with an index. It is slow, and only messages need it.
func (c *cuts) byteAt(index int) int64 {
	if c.words == nil {
		return c.places[index]
	}
	k, _ := slices.BinarySearch(c.before, index+1) // the word after the one with the bit
	w, k := c.words[k-1], k-1
	for range index - c.before[k] {
		w &= w - 1
	}
	return int64(64*k + bits.TrailingZeros64(w))
}
