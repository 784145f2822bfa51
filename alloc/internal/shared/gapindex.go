package shared

import (
	"math"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/lifetime"
)

// A gapIndex finds the gaps around a record; it is the inverse of a matcher's matches. Each gap is
// stored at the records whose uses bound it, so that every possible gap has a fixed place and requires
// no search.
type gapIndex struct {
	// before has the gaps that end where a record begins, by that end; after has those that begin where
	// a record ends, with time running backwards.
	before, after *edgeTree
}

func newGapIndex(records problem.Records) gapIndex {
	all := problem.BySize(records)
	tree := func(birth func(lifetime.Record) int) *edgeTree {
		return newEdgeTree(records, all, make([]int, len(records)), func(r lifetime.Record) (int, int) {
			return birth(r), math.MaxInt // no gap yet
		})
	}
	return gapIndex{
		before: tree(func(r lifetime.Record) int { return r.First }),
		after:  tree(func(r lifetime.Record) int { return ^r.Last }),
	}
}

// insert splits the gap g by the use of record u. The uses that bound g belong to the records left and
// right, -1 if g is unbounded.
func (x gapIndex) insert(records problem.Records, u, left, right int) {
	from, to := math.MinInt, math.MaxInt
	if left >= 0 {
		from = records[left].Last + 1
		x.after.set(left, ^(records[u].First - 1))
	}
	if right >= 0 {
		to = records[right].First - 1
		x.before.set(right, records[u].Last+1)
	}
	x.before.set(u, from)
	x.after.set(u, ^to)
}

// nearest returns the shortest distance from r to a use at an edge of a gap that r fits into, and a
// record with such a use; it is the only one unless tied. Without any, the distance is never.
func (x gapIndex) nearest(r lifetime.Record) (distance uint64, user int, tied bool) {
	after, afterTied := x.after.first(^(r.First - 1), ^r.Last)
	before, beforeTied := x.before.first(r.Last+1, r.First)
	left, right := never, never
	if after >= 0 {
		left = uint64(r.First) - uint64(^x.after.births[after])
	}
	if before >= 0 {
		right = uint64(x.before.births[before]) - uint64(r.Last)
	}
	switch {
	case left == never && right == never:
		return never, -1, false
	case left < right:
		return left, x.after.order[after], afterTied
	case right < left:
		return right, x.before.order[before], beforeTied
	}
	return left, x.after.order[after], true
}

// tied calls visit for each record with a use at exactly the given distance from r at
// an edge of a gap that r fits into.
func (x gapIndex) tied(r lifetime.Record, distance uint64, visit func(j int)) {
	if last := int(uint64(r.First) - distance); last < r.First { // else there is no such position
		x.after.each(^last, ^r.Last, visit)
	}
	if first := int(uint64(r.Last) + distance); first > r.Last {
		x.before.each(first, r.First, visit)
	}
}
