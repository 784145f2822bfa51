package shared

import (
	"cmp"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/alloc/internal/sets"
	"github.com/tflarena/tflarena/lifetime"
)

// An edgeTree finds the waiting record that begins first at or after a position and ends by another: a
// tree over the records by birth, equal births by descending size, then row, whose values are the
// deaths.
type edgeTree struct {
	order   []int
	births  []int // in order
	placeOf []int // by record; the owner's, reused by each stage
	deaths  sets.MinTree[int]
}

// newEdgeTree holds the given records, whose births and deaths interval returns. members must be by
// descending size, then row.
func newEdgeTree(records problem.Records, members, placeOf []int, interval func(lifetime.Record) (birth, death int)) *edgeTree {
	birth := func(i int) int { b, _ := interval(records[i]); return b }
	t := &edgeTree{order: slices.Clone(members), placeOf: placeOf, deaths: sets.NewMinTree(len(members), math.MaxInt)}
	slices.SortStableFunc(t.order, func(i, j int) int { return cmp.Compare(birth(i), birth(j)) })
	t.births = make([]int, len(members))
	deaths := make([]int, len(members))
	for k, i := range t.order {
		t.placeOf[i] = k
		t.births[k], deaths[k] = interval(records[i])
	}
	t.deaths.Fill(deaths)
	return t
}

func (t *edgeTree) remove(i int) { t.deaths.Clear(t.placeOf[i]) }

func (t *edgeTree) set(i, death int) { t.deaths.Set(t.placeOf[i], death) }

// nearest returns the first record in order that is born at from or later and dies
// at to or earlier, or -1.
func (t *edgeTree) nearest(from, to int) int {
	k, _ := slices.BinarySearch(t.births, from)
	if k = t.deaths.Seek(k, to); k < 0 {
		return -1
	}
	return t.order[k]
}

// first returns the index in order of the record that nearest returns, or -1, and whether another
// record of the same birth dies at to or earlier.
func (t *edgeTree) first(from, to int) (k int, tied bool) {
	k, _ = slices.BinarySearch(t.births, from)
	if k = t.deaths.Seek(k, to); k < 0 {
		return -1, false
	}
	other := t.deaths.Seek(k+1, to)
	return k, other >= 0 && t.births[other] == t.births[k]
}

// each calls visit for each record born at birth that dies at to or earlier.
func (t *edgeTree) each(birth, to int, visit func(i int)) {
	k, _ := slices.BinarySearch(t.births, birth)
	for k = t.deaths.Seek(k, to); k >= 0 && t.births[k] == birth; k = t.deaths.Seek(k+1, to) {
		visit(t.order[k])
	}
}
