package distances

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/alloc/internal/sets"
	"github.com/tflarena/tflarena/lifetime"
)

// A Forbid returns the forbidden differences offset[b]-offset[a] in bytes of two records a < b whose
// usage intervals overlap: closed ranges, ascending and disjoint.
type Forbid func(a, b int) []lifetime.Range

// A Problem is non-empty records and the forbidden differences of pairs. Pairs are evaluated on demand:
// there may be very many.
type Problem struct {
	Records    problem.Records
	forbid     Forbid
	graph      *pairGraph
	graphKnown bool // whether graph is set, if only to nil
}

// New returns a problem. A nil forbid derives the forbidden differences from the pieces of the records.
func New(records problem.Records, forbid Forbid) *Problem {
	if forbid == nil {
		forbid = lifetime.Forbidden(records, nil, nil)
	}
	return &Problem{Records: records, forbid: forbid}
}

// pairs returns all pairs, stored, or nil if there are too many.
func (p *Problem) pairs() *pairGraph {
	if !p.graphKnown {
		p.graph, p.graphKnown = newPairGraph(p), true
	}
	return p.graph
}

// Forbidden returns the forbidden differences offset[b]-offset[a] of records a and b, in either order
// of a and b, ascending. It is empty if their lifetimes do not overlap.
func (p *Problem) Forbidden(a, b int) []lifetime.Range {
	switch {
	case a == b || !p.Records[a].Overlaps(p.Records[b]):
		return nil
	case a < b:
		return p.forbid(a, b)
	}
	mirrored := slices.Clone(p.forbid(b, a))
	slices.Reverse(mirrored)
	for k, r := range mirrored {
		mirrored[k] = lifetime.Range{Lo: -r.Hi, Hi: -r.Lo}
	}
	return mirrored
}

// An intervalTree holds records and finds those that overlap another in time: a tree over the records by
// first position, whose values are their last positions, latest first.
type intervalTree struct {
	records problem.Records
	order   []int // records by first position
	place   []int // of each record in order
	deaths  sets.MinTree[int]
}

func newIntervalTree(records problem.Records) *intervalTree {
	m := &intervalTree{records: records, order: problem.InOrder(records), place: make([]int, len(records)), deaths: sets.NewMinTree(len(records), int(^uint(0)>>1))}
	for k, i := range m.order {
		m.place[i] = k
	}
	return m
}

func (m *intervalTree) add(i int) { m.deaths.Set(m.place[i], -m.records[i].Last) }

// overlapping appends the held records that overlap record i in time to dst, the earliest first.
func (m *intervalTree) overlapping(dst []int, i int) []int {
	r := m.records[i]
	for k := m.deaths.Seek(0, -r.First); k >= 0 && m.records[m.order[k]].First <= r.Last; k = m.deaths.Seek(k+1, -r.First) {
		if m.order[k] != i {
			dst = append(dst, m.order[k])
		}
	}
	return dst
}
