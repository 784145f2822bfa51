package lifetime

import (
	"cmp"

	"golang.org/x/exp/slices"
)

// MaxBreadth returns the largest operator breadth in bytes: no arena of offsets can be smaller
// (Pisarchyk and Lee 2020, section 5.1). A record in a gap counts with the bytes that it holds
// there.
func MaxBreadth(records []Record) int64 { return Peak(records).Breadth }

// SharedBound returns the sum of the positional maxima in bytes: no set of shared objects
// can be smaller (Pisarchyk and Lee 2020, section 4.1).
func SharedBound(records []Record) int64 {
	var sum int64
	for _, size := range PositionalMaxima(records) {
		sum += size
	}
	return sum
}

// PositionalMaxima returns the positional maxima in bytes, in non-increasing order: the i-th is
// the largest i-th size over all operator profiles. Zero sizes are omitted. It takes O(n log n)
// time, where n includes every gap.
//
// A record in a gap that holds nothing is not in the profile. In any other gap it counts with
// its whole size, since an object holds whole tensors. So the sum is a bound whether or not a
// second tensor may use the object in the meantime.
//
// The i-th maximum is the largest size s such that at some position at least i records of size
// s or more are alive. So the records are counted in order of decreasing size, and each time
// the largest count increases, the size just added is the next positional maximum.
func PositionalMaxima(records []Record) []int64 {
	sizes := make([]int, 0, len(records))
	for i, r := range records {
		if r.Size > 0 {
			sizes = append(sizes, i)
		}
	}
	slices.SortStableFunc(sizes, func(a, b int) int {
		return cmp.Compare(records[b].Size, records[a].Size)
	})
	count := newLiveCounter(records)
	var maxima []int64
	for _, i := range sizes {
		if count.add(records[i]) > len(maxima) {
			maxima = append(maxima, records[i].Size)
		}
	}
	return maxima
}

// liveCounter counts the records alive at each relevant position, in a segment tree with range
// addition: node k holds the largest count below it, without the pending additions of its
// ancestors.
type liveCounter struct {
	starts []int // the positions at which records begin, ascending
	max    []int
	extra  []int // pending for all leaves below the node, included in most
}

// newLiveCounter prepares the positions at which pieces begin; the count can reach a new maximum
// only there.
func newLiveCounter(records []Record) *liveCounter {
	starts := make([]int, 0, len(records))
	for _, r := range records {
		for p := range r.Pieces {
			starts = append(starts, p.First)
		}
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	nodes := max(4*len(starts), 2) // the root, number 1, always exists
	return &liveCounter{starts, make([]int, nodes), make([]int, nodes)}
}

// add adds r and returns the largest count.
func (c *liveCounter) add(r Record) int {
	for p := range r.Pieces {
		from, _ := slices.BinarySearch(c.starts, p.First)
		to, _ := slices.BinarySearch(c.starts, p.Last+1)
		c.raise(1, 0, len(c.starts), from, to)
	}
	return c.max[1]
}

// raise adds one to the leaves [from, to) below node, which covers [lo, hi).
func (c *liveCounter) raise(node, lo, hi, from, to int) {
	if from <= lo && hi <= to {
		c.max[node]++
		c.extra[node]++
		return
	}
	mid := (lo + hi) / 2
	if from < mid {
		c.raise(2*node, lo, mid, from, min(to, mid))
	}
	if to > mid {
		c.raise(2*node+1, mid, hi, max(from, mid), to)
	}
	c.max[node] = max(c.max[2*node], c.max[2*node+1]) + c.extra[node]
}
