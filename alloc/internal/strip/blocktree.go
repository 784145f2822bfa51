package strip

import (
	"cmp"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
)

// A blockTree holds waiting records and finds the best one that is alive within a
// line's time only: a segment tree over the records in order of birth. The records
// born within the line that do not fit are those alive at its end, so a search that
// goes for the best rank first meets few of them.
type blockTree struct {
	time   problem.Timeline
	order  []int // records by first position
	leafOf []int // by record
	leaves int
	nodes  []blockNode
}

// A blockNode sums up the waiting records below it.
type blockNode struct {
	rank     int // the best rank
	earliest int // the earliest death
}

var noBlock = blockNode{math.MaxInt, math.MaxInt}

// newBlockTree ranks the records as they come in ranking.
func newBlockTree(records problem.Records, time problem.Timeline, ranking []int) *blockTree {
	t := &blockTree{time: time, order: problem.InOrder(records), leafOf: make([]int, len(records)), leaves: 1}
	for t.leaves < len(records) {
		t.leaves *= 2
	}
	t.nodes = make([]blockNode, 2*t.leaves)
	for v := range t.nodes {
		t.nodes[v] = noBlock
	}
	for k, i := range t.order {
		t.leafOf[i] = t.leaves + k
	}
	for rank, i := range ranking {
		t.nodes[t.leafOf[i]] = blockNode{rank, time.Last[i]}
	}
	for v := t.leaves - 1; v >= 1; v-- {
		t.sum(v)
	}
	return t
}

func longestFirst(records problem.Records) []int {
	return problem.OrderBy(records, func(i, j int) int {
		return cmp.Or(cmp.Compare(problem.Length(records[j]), problem.Length(records[i])), cmp.Compare(records[j].Size, records[i].Size),
			cmp.Compare(records[i].First, records[j].First))
	})
}

func (t *blockTree) sum(v int) {
	a, b := t.nodes[2*v], t.nodes[2*v+1]
	t.nodes[v] = blockNode{min(a.rank, b.rank), min(a.earliest, b.earliest)}
}

// remove takes out record i.
func (t *blockTree) remove(i int) {
	v := t.leafOf[i]
	t.nodes[v] = noBlock
	for v /= 2; v >= 1; v /= 2 {
		t.sum(v)
	}
}

// best returns the record of the best rank that lives within l and that accept
// takes, or -1.
func (t *blockTree) best(l line, accept func(i int) bool) int {
	from, _ := slices.BinarySearchFunc(t.order, l.first, func(i, p int) int { return t.time.First[i] - p })
	to, _ := slices.BinarySearchFunc(t.order, l.last+1, func(i, p int) int { return t.time.First[i] - p })
	s := blockSearch{t, from, to, l.last, accept, math.MaxInt, -1}
	s.visit(1, 0, t.leaves)
	return s.found
}

// A blockSearch looks among the leaves [from, to) for records that die by last.
type blockSearch struct {
	*blockTree
	from, to, last int
	accept         func(i int) bool
	rank, found    int // the best so far
}

// visit searches below node v, whose leaves are [lo, hi), the better half first.
func (s *blockSearch) visit(v, lo, hi int) {
	node := s.nodes[v]
	if hi <= s.from || lo >= s.to || node.rank >= s.rank || node.earliest > s.last {
		return
	}
	if v >= s.leaves {
		if i := s.order[lo]; s.accept(i) {
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
