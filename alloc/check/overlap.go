package check

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// A block is a time during which a record holds the same bytes of the arena, at least one: the whole
// lifetime of a record without gaps.
type block struct {
	record      int
	first, last int   // positions, inclusive
	start, end  int64 // bytes of the arena, [start, end)
}

// blocksOf cuts the records at the ends of their gaps. The blocks of one record have no common
// position.
func blocksOf(records []lifetime.Record, offsets []int64) []block {
	blocks := make([]block, 0, len(records))
	add := func(i, first, last int, lo, hi int64) {
		if first <= last && lo < hi {
			blocks = append(blocks, block{record: i, first: first, last: last, start: offsets[i] + lo, end: offsets[i] + hi})
		}
	}
	for i, r := range records {
		whole := r.First // the first position after the last gap
		for _, g := range r.Gaps {
			add(i, whole, g.First-1, 0, r.Size)
			add(i, g.First, g.Last, g.Lo, g.Hi)
			whole = g.Last + 1
		}
		add(i, whole, r.Last, 0, r.Size)
	}
	return blocks
}

// findOverlap scans over time. The live blocks share no byte, so that a new block can only collide with
// its neighbours in address order.
func findOverlap(records []lifetime.Record, offsets []int64) *Violation {
	blocks := blocksOf(records, offsets)
	births := make([]int, len(blocks))
	for k := range births {
		births[k] = k
	}
	deaths, byStart := slices.Clone(births), slices.Clone(births)
	sortBy(births, func(k int) int64 { return int64(blocks[k].first) })
	sortBy(deaths, func(k int) int64 { return int64(blocks[k].last) })
	sortBy(byStart, func(k int) int64 { return blocks[k].start })
	rank := make([]int, len(blocks))
	for at, k := range byStart {
		rank[k] = at
	}
	alive := newRankSet(len(blocks))
	for _, k := range births {
		for len(deaths) > 0 && blocks[deaths[0]].last < blocks[k].first {
			alive.remove(rank[deaths[0]])
			deaths = deaths[1:]
		}
		if at := alive.before(rank[k]); at >= 0 && collide(blocks[byStart[at]], blocks[k]) {
			return overlapIn(records, blocks[byStart[at]], blocks[k])
		}
		if at := alive.after(rank[k]); at >= 0 && collide(blocks[byStart[at]], blocks[k]) {
			return overlapIn(records, blocks[byStart[at]], blocks[k])
		}
		alive.add(rank[k])
	}
	return nil
}

// collide reports whether two blocks share a byte at a common position.
func collide(a, b block) bool {
	return a.first <= b.last && b.first <= a.last && a.start < b.end && b.start < a.end
}

func overlapIn(records []lifetime.Record, a, b block) *Violation {
	if a.record > b.record {
		a, b = b, a
	}
	return violation(Overlap, a.record, b.record, "%s and %s", inBytes(records, a), inBytes(records, b))
}

// sortBy sorts indices by key ascending, equal keys by index. It stores keys next to the indices, since
// looking up keys of millions of blocks in each comparison is slow.
func sortBy(indices []int, key func(i int) int64) {
	type keyed struct {
		key   int64
		index int
	}
	list := make([]keyed, len(indices))
	for at, i := range indices {
		list[at] = keyed{key(i), i}
	}
	slices.SortStableFunc(list, func(a, b keyed) int {
		switch {
		case a.key < b.key:
			return -1
		case a.key > b.key:
			return 1
		}
		return a.index - b.index
	})
	for at, k := range list {
		indices[at] = k.index
	}
}
