package strip

import (
	"math"

	"github.com/tflarena/tflarena/alloc/internal/problem"
)

// A rankTree holds waiting records and finds the best one that is alive within a line's time only: a
// segment tree over the records by first position. The records that begin within the line and do not
// fit are those alive at its end, so that a search by best rank visits few of them. It can be refilled
// with another ranking.
type rankTree struct {
	order  []int // records by first position
	leafOf []int // by record
	born   []int // by position: how many records begin before it
	deaths []int // by record
	leaves int
	nodes  []rankNode
}

// A rankNode sums up the waiting records below it.
type rankNode struct {
	rank     int // the best rank
	earliest int // the earliest death
}

var noRank = rankNode{math.MaxInt, math.MaxInt}

func newRankTree(records problem.Records, time problem.Timeline) rankTree {
	t := rankTree{
		order: problem.InOrder(records), leafOf: make([]int, len(records)), born: make([]int, time.Count+1),
		deaths: time.Last, leaves: 1,
	}
	for t.leaves < len(records) {
		t.leaves *= 2
	}
	for k, i := range t.order {
		t.leafOf[i] = t.leaves + k
		t.born[time.First[i]+1]++
	}
	for p := 1; p < len(t.born); p++ {
		t.born[p] += t.born[p-1]
	}
	t.nodes = make([]rankNode, 2*t.leaves)
	return t
}

// fill makes the records of order wait, the first with the best rank.
func (t *rankTree) fill(order []int) {
	for v := range t.nodes {
		t.nodes[v] = noRank
	}
	for rank, i := range order {
		t.nodes[t.leafOf[i]] = rankNode{rank, t.deaths[i]}
	}
	for v := t.leaves - 1; v >= 1; v-- {
		t.sum(v)
	}
}

func (t *rankTree) sum(v int) {
	a, b := &t.nodes[2*v], &t.nodes[2*v+1]
	t.nodes[v] = rankNode{min(a.rank, b.rank), min(a.earliest, b.earliest)}
}

func (t *rankTree) remove(i int) {
	v := t.leafOf[i]
	t.nodes[v] = noRank
	for v /= 2; v >= 1; v /= 2 {
		t.sum(v)
	}
}

// best returns the record of the best rank that lives within l and that accept, unless nil, accepts, or
// -1.
func (t *rankTree) best(l line, accept func(i int) bool) int {
	s := rankSearch{rankTree: t, from: t.born[l.first], to: t.born[l.last+1], last: l.last, accept: accept, rank: math.MaxInt, found: -1}
	if s.from < s.to {
		s.visit(1, 0, t.leaves)
	}
	return s.found
}

// A rankSearch searches the leaves [from, to) for records that end by last.
type rankSearch struct {
	*rankTree
	from, to, last int
	accept         func(i int) bool
	rank, found    int // the best so far
}

// visit searches below node v, whose leaves are [lo, hi), the better half first.
func (s *rankSearch) visit(v, lo, hi int) {
	node := &s.nodes[v]
	if hi <= s.from || lo >= s.to || node.rank >= s.rank || node.earliest > s.last {
		return
	}
	if v >= s.leaves {
		if i := s.order[lo]; s.accept == nil || s.accept(i) {
			s.rank, s.found = node.rank, i
		}
		return
	}
	middle := (lo + hi) / 2
	if s.nodes[2*v].rank <= s.nodes[2*v+1].rank {
		s.visit(2*v, lo, middle)
		s.visit(2*v+1, middle, hi)
	} else {
		s.visit(2*v+1, middle, hi)
		s.visit(2*v, lo, middle)
	}
}
