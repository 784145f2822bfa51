package shared

import (
	"cmp"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/lifetime"
)

// An edgeTree finds the waiting record that begins first at or after a position and
// ends by another: a segment tree over the records in order of birth, of equal
// births the larger first, then by row, whose nodes know the earliest death.
type edgeTree struct {
	order    []int
	births   []int // in order
	leafOf   []int // by record; the owner's, so that each stage uses it again
	leaves   int
	earliest []int // by node
}

// newEdgeTree holds the given records, whose births and deaths interval tells.
// members must be by falling size, then row.
func newEdgeTree(records problem.Records, members, leafOf []int, interval func(lifetime.Record) (birth, death int)) *edgeTree {
	birth := func(i int) int { b, _ := interval(records[i]); return b }
	t := &edgeTree{order: slices.Clone(members), leafOf: leafOf, leaves: 1}
	slices.SortStableFunc(t.order, func(i, j int) int { return cmp.Compare(birth(i), birth(j)) })
	for t.leaves < len(members) {
		t.leaves *= 2
	}
	t.births = make([]int, len(members))
	t.earliest = make([]int, 2*t.leaves)
	for v := range t.earliest {
		t.earliest[v] = math.MaxInt
	}
	for k, i := range t.order {
		t.leafOf[i] = t.leaves + k
		t.births[k], t.earliest[t.leaves+k] = interval(records[i])
	}
	for v := t.leaves - 1; v >= 1; v-- {
		t.earliest[v] = min(t.earliest[2*v], t.earliest[2*v+1])
	}
	return t
}

// remove takes out record i.
func (t *edgeTree) remove(i int) { t.set(i, math.MaxInt) }

// set changes the death of record i; math.MaxInt takes it out.
func (t *edgeTree) set(i, death int) {
	v := t.leafOf[i]
	t.earliest[v] = death
	for v /= 2; v >= 1; v /= 2 {
		t.earliest[v] = min(t.earliest[2*v], t.earliest[2*v+1])
	}
}

// nearest returns the first record in order that is born at from or later and dies
// at to or earlier, or -1.
func (t *edgeTree) nearest(from, to int) int {
	k, _ := slices.BinarySearch(t.births, from)
	if k = t.seek(k, to); k < 0 {
		return -1
	}
	return t.order[k]
}

// first returns the place in order of what nearest returns, or -1, and whether
// another record of the same birth dies at to or earlier.
func (t *edgeTree) first(from, to int) (k int, tied bool) {
	k, _ = slices.BinarySearch(t.births, from)
	if k = t.seek(k, to); k < 0 {
		return -1, false
	}
	other := t.seek(k+1, to)
	return k, other >= 0 && t.births[other] == t.births[k]
}

// seek returns the first place in order from k on whose record dies at to or
// earlier, or -1.
func (t *edgeTree) seek(k, to int) int {
	to = min(to, math.MaxInt-1) // math.MaxInt marks a leaf without a record
	if k == len(t.births) {
		return -1
	}
	// Climb until a right-hand neighbour has a record that dies in time, then
	// descend to its first.
	v := t.leaves + k
	for t.earliest[v] > to {
		for v%2 == 1 {
			v /= 2
		}
		if v == 0 {
			return -1
		}
		v++
	}
	for v < t.leaves {
		v *= 2
		if t.earliest[v] > to {
			v++
		}
	}
	return v - t.leaves
}

// each calls visit for each record born at birth that dies at to or earlier.
func (t *edgeTree) each(birth, to int, visit func(i int)) {
	k, _ := slices.BinarySearch(t.births, birth)
	for k = t.seek(k, to); k >= 0 && t.births[k] == birth; k = t.seek(k+1, to) {
		visit(t.order[k])
	}
}
