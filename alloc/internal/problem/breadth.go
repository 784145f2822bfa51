package problem

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/sets"
)

// BreadthTies are the tie rules of [ByBreadth], which the paper leaves open. By default, the earlier of
// equally broad operators comes first, and equal sizes are ordered by first position, then row.
type BreadthTies struct {
	// LateOperators and LateTensors reverse one order each.
	LateOperators, LateTensors bool
}

// ByBreadth returns the assignment order of greedy by breadth (Pisarchyk and Lee 2020, Algorithm 1,
// lines 4 to 8): operators by descending breadth; for each, the tensors of its profile that no earlier
// one had, by descending size.
//
// Only operators at which a tensor begins count: the profile of any other is part of the profile of the
// last such operator before it, which is no narrower, or holds the same tensors if as broad.
func ByBreadth(records Records, ties BreadthTies) []int {
	time := NewTimeline(records)
	waiting := newStabber(time)
	rank := make([]int, len(records))
	for k, i := range profileOrder(records, ties.LateTensors) {
		rank[i] = k
	}
	order := make([]int, 0, len(records))
	for _, position := range positionsByBreadth(records, time, ties.LateOperators) {
		from := len(order)
		order = waiting.take(order, position)
		slices.SortFunc(order[from:], func(i, j int) int { return rank[i] - rank[j] })
	}
	return order
}

func profileOrder(records Records, late bool) []int {
	order := BySizeThenFirst(records)
	if late {
		slices.Reverse(order)
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(records[j].Size, records[i].Size) })
	}
	return order
}

// positionsByBreadth returns the positions of time by descending breadth, equal ones in order of time,
// or in reverse order with late.
func positionsByBreadth(records Records, time Timeline, late bool) []int {
	breadth := Loads(records, time)
	positions := Identity(time.Count)
	if late {
		slices.Reverse(positions)
	}
	slices.SortStableFunc(positions, func(p, q int) int { return cmp.Compare(breadth[q], breadth[p]) })
	return positions
}

// A stabber holds records and removes those alive at a position: a tree over the records by first
// position, whose values are their last positions, latest first.
type stabber struct {
	time   Timeline
	order  []int // records by first position
	deaths sets.MinTree[int]
}

func newStabber(time Timeline) *stabber {
	s := &stabber{time: time, order: Identity(len(time.First)), deaths: sets.NewMinTree(len(time.First), 1)}
	slices.SortStableFunc(s.order, func(i, j int) int { return time.First[i] - time.First[j] })
	negative := make([]int, len(s.order))
	for k, i := range s.order {
		negative[k] = -time.Last[i]
	}
	s.deaths.Fill(negative)
	return s
}

// take removes the records alive at position and appends them to dst.
func (s *stabber) take(dst []int, position int) []int {
	born, _ := slices.BinarySearchFunc(s.order, position+1, func(i, p int) int { return s.time.First[i] - p })
	for k := s.deaths.Seek(0, -position); k >= 0 && k < born; k = s.deaths.Seek(k+1, -position) {
		s.deaths.Clear(k)
		dst = append(dst, s.order[k])
	}
	return dst
}
