package shared

import (
	"cmp"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/alloc/internal/sets"
)

// neighbours lists all records by last and by first position, to find those that
// end shortly before a record or begin shortly after it.
type neighbours struct {
	byLast, byFirst []int
}

func newNeighbours(records problem.Records) neighbours {
	return neighbours{
		byLast:  problem.OrderBy(records, func(i, j int) int { return cmp.Compare(records[i].Last, records[j].Last) }),
		byFirst: problem.InOrder(records),
	}
}

// within calls visit for each record that lies before or after record i at no more
// than the given distance.
func (n neighbours) within(records problem.Records, i int, distance uint64, visit func(j int, distance uint64)) {
	r := records[i]
	k, _ := slices.BinarySearchFunc(n.byLast, r.First, func(j, first int) int { return cmp.Compare(records[j].Last, first) })
	for k--; k >= 0; k-- {
		j := n.byLast[k]
		d := uint64(r.First) - uint64(records[j].Last)
		if d > distance {
			break
		}
		visit(j, d)
	}
	k, found := slices.BinarySearchFunc(n.byFirst, r.Last, func(j, last int) int { return cmp.Compare(records[j].First, last) })
	for ; found && k < len(n.byFirst) && records[n.byFirst[k]].First == r.Last; k++ {
	}
	for ; k < len(n.byFirst); k++ {
		j := n.byFirst[k]
		d := uint64(records[j].First) - uint64(r.Last)
		if d > distance {
			break
		}
		visit(j, d)
	}
}

// pickObject returns the object of record i among several at the same shortest distance, which is
// given. The definition keeps for each record its best object so far: a new best must be strictly
// nearer, and when the best becomes unsuitable, the lowest number among the nearest replaces it. So
// history decides; it is replayed here for the objects that came as near as the winners, since all
// others never preceded them.
//
// This is unnecessary if the lowest number among the tied objects came that near first: no other was
// strictly nearer at any time since, or had a lower number, so that none replaced it permanently.
//
// Either way takes time by the number of records that near. In a network they are few; if every
// assignment ties thousands of objects, the whole is quadratic in the number of records.
func (m *matcher) pickObject(i int, distance uint64) int {
	if id, first := m.lowestTied(i, distance); first {
		return id
	}
	past := newReplay()
	met := map[int]bool{}
	m.history.within(m.records, i, distance, func(j int, distance uint64) {
		if m.waits[j] {
			return
		}
		id := m.Of[j]
		past.events = append(past.events, event{m.when[j], id, distance})
		if !met[id] {
			met[id] = true
			if when := m.blocked(i, id); when != math.MaxInt {
				past.events = append(past.events, event{when, id, never})
			}
		}
	})
	return past.run()
}

// lowestTied returns the lowest number of the objects suitable for record i at the given distance,
// their shortest, and whether it was the first of them at that distance.
func (m *matcher) lowestTied(i int, distance uint64) (id int, first bool) {
	lowest, earliest, when := math.MaxInt, -1, math.MaxInt
	m.gaps.tied(m.records[i], distance, func(j int) {
		lowest = min(lowest, m.Of[j])
		if m.when[j] < when {
			earliest, when = m.Of[j], m.when[j]
		}
	})
	return lowest, lowest == earliest
}

// blocked returns the number of the assignment that made object id unsuitable for
// record i, or math.MaxInt.
func (m *matcher) blocked(i, id int) int {
	r, list := m.records[i], &m.uses[id]
	when := math.MaxInt
	at := list.Seek(use{first: r.First})
	if before := list.Prev(at); list.Valid(before) && list.At(before).last >= r.First {
		when = list.At(before).when
	}
	for ; list.Valid(at) && list.At(at).first <= r.Last; at = list.Next(at) {
		when = min(when, list.At(at).when)
	}
	return when
}

// never is the distance to an object that has become unsuitable.
const never = uint64(math.MaxUint64)

// An event changed the distance between a record and an object.
type event struct {
	when, object int
	distance     uint64
}

// A replay processes the events around one record, in order of assignment.
type replay struct {
	events []event
	near   map[int]uint64   // by object, never once it is unsuitable
	byNear sets.Heap[event] // nearest first, of equal ones the lowest number; may hold outdated events
	best   int              // -1 when none is suitable
}

func newReplay() *replay {
	p := &replay{near: map[int]uint64{}, best: -1}
	p.byNear.Less = func(a, b event) bool {
		return a.distance < b.distance || a.distance == b.distance && a.object < b.object
	}
	return p
}

func (p *replay) run() int {
	slices.SortFunc(p.events, func(a, b event) int { return a.when - b.when })
	for _, e := range p.events {
		before, known := p.near[e.object]
		switch {
		case known && before <= e.distance && e.distance != never, before == never:
			// Farther than the object's current distance, or too late.
		case e.distance == never:
			p.near[e.object] = never
			if e.object == p.best {
				p.choose()
			}
		default:
			p.near[e.object] = e.distance
			p.byNear.Push(e)
			if p.best < 0 || e.distance < p.near[p.best] {
				p.best = e.object
			}
		}
	}
	return p.best
}

// choose makes the nearest object the best one, the lowest number of equal ones.
func (p *replay) choose() {
	for p.best = -1; p.best < 0 && p.byNear.Len() > 0; {
		if top := p.byNear.Top(); p.near[top.object] == top.distance {
			p.best = top.object
		} else {
			p.byNear.Pop()
		}
	}
}
