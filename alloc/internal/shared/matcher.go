package shared

import (
	"cmp"
	"math"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/alloc/internal/sets"
	"github.com/tflarena/tflarena/lifetime"
)

// A use is an interval of an object's use, both ends inclusive, with its record and the number of the
// assignment.
type use struct{ first, last, when, record int }

// A gap is a time, both ends inclusive, in which an object is idle. It begins at math.MinInt, or ends
// at math.MaxInt, if no use bounds it there.
type gap struct {
	object, from, to int
}

// A match is a gap and the waiting record nearest to one of its edges.
type match struct {
	gap
	record   int
	distance uint64 // positions from the edge's use to the record's, at least 1
}

// A matcher is the state of Improved.
type matcher struct {
	*Objects
	records problem.Records
	waits   []bool
	when    []int // by record: the number of its assignment
	count   int   // assignments so far
	uses    []sets.SortedList[use]
	history neighbours
	gaps    gapIndex
	matches sets.Heap[match]
	// early and late find waiting records of the stage by first and last position;
	// nil in a small stage.
	early, late           *edgeTree
	earlyPlace, latePlace []int
}

func newMatcher(records problem.Records) *matcher {
	m := &matcher{Objects: newObjects(records), records: records, history: newNeighbours(records), gaps: newGapIndex(records)}
	m.waits, m.when = make([]bool, len(records)), make([]int, len(records))
	m.earlyPlace, m.latePlace = make([]int, len(records)), make([]int, len(records))
	for i := range m.waits {
		m.waits[i] = true
	}
	m.matches.Less = func(a, b match) bool {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(records[b.record].Size, records[a.record].Size),
			a.record-b.record, a.object-b.object) < 0
	}
	return m
}

// enter begins a stage: matches every gap with the stage's records.
func (m *matcher) enter(stage []int) {
	m.early = newEdgeTree(m.records, stage, m.earlyPlace, func(r lifetime.Record) (int, int) { return r.First, r.Last })
	m.late = newEdgeTree(m.records, stage, m.latePlace, func(r lifetime.Record) (int, int) { return ^r.Last, ^r.First })
	m.matches.Clear()
	for id := range m.uses {
		from := math.MinInt
		list := &m.uses[id]
		for at := list.First(); list.Valid(at); at = list.Next(at) {
			m.match(gap{id, from, list.At(at).first - 1})
			from = list.At(at).last + 1
		}
		m.match(gap{id, from, math.MaxInt})
	}
}

// match pushes the gap's nearest waiting record, if any, to the heap. The late tree sees time
// backwards, where ^ mirrors each position.
func (m *matcher) match(g gap) {
	if g.from > g.to {
		return
	}
	best := match{gap: g, record: -1}
	if g.from != math.MinInt {
		if i := m.early.nearest(g.from, g.to); i >= 0 {
			best = match{g, i, uint64(m.records[i].First) - uint64(g.from) + 1}
		}
	}
	if g.to != math.MaxInt {
		if i := m.late.nearest(^g.to, ^g.from); i >= 0 {
			other := match{g, i, uint64(g.to) - uint64(m.records[i].Last) + 1}
			if best.record < 0 || m.matches.Less(other, best) {
				best = other
			}
		}
	}
	if best.record >= 0 {
		m.matches.Push(best)
	}
}

// nearest takes from the heap the next record to assign and all its matches at the shortest distance;
// the record is -1 if no gap has any.
func (m *matcher) nearest() (int, []match) {
	for m.matches.Len() > 0 {
		top := m.matches.Pop()
		if !m.waits[top.record] {
			m.match(top.gap) // taken through another gap
			continue
		}
		tied := []match{top}
		for m.matches.Len() > 0 && m.matches.Top().record == top.record && m.matches.Top().distance == top.distance {
			tied = append(tied, m.matches.Pop())
		}
		return top.record, tied
	}
	return -1, nil
}

// assignTo puts record i into one of the objects of its nearest matches.
func (m *matcher) assignTo(i int, tied []match) {
	id := tied[0].object
	if len(tied) > 1 {
		id = m.pickObject(i, tied[0].distance)
	}
	m.settle(i, id)
	for _, t := range tied {
		if t.object == id {
			m.match(gap{id, t.from, m.records[i].First - 1})
			m.match(gap{id, m.records[i].Last + 1, t.to})
		} else {
			m.match(t.gap)
		}
	}
}

// openFor puts record i into a new object.
func (m *matcher) openFor(i int) {
	id := m.openObject(i)
	m.match(gap{id, math.MinInt, m.records[i].First - 1})
	m.match(gap{id, m.records[i].Last + 1, math.MaxInt})
}

// openObject puts record i into a new object and looks for no matches.
func (m *matcher) openObject(i int) int {
	id := m.open(m.records[i].Size)
	m.uses = append(m.uses, sets.SortedList[use]{Compare: func(a, b use) int { return cmp.Compare(a.first, b.first) }})
	m.settle(i, id)
	return id
}

func (m *matcher) settle(i, id int) {
	r := m.records[i]
	m.assign(i, r.Size, id)
	m.count++
	m.when[i] = m.count
	m.waits[i] = false
	m.use(id, use{first: r.First, last: r.Last, when: m.count, record: i})
	if m.early != nil {
		m.early.remove(i)
		m.late.remove(i)
	}
}

// use adds a use to object id.
func (m *matcher) use(id int, u use) {
	list := &m.uses[id]
	left, right := -1, -1
	after := list.Seek(u)
	if list.Valid(after) {
		right = list.At(after).record
	}
	if before := list.Prev(after); list.Valid(before) {
		left = list.At(before).record
	}
	m.gaps.insert(m.records, u.record, left, right)
	list.Insert(u)
}
