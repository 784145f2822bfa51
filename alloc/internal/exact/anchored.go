package exact

import (
	"cmp"
	"context"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/packing"
	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/lifetime"
)

// Where records are held in part at times, up to maxAnchored of the largest of them are put
// at the bottom or the top of the arena, in up to anchorSearches searches.
const (
	maxAnchored    = 6
	anchorSearches = 400
)

// anchorer looks for smaller totals of a component with windows. The largest records that
// have some are put as far to the bottom or to the top as those before them let them, where
// what is free at times lies in the middle; so placed, each is several records that are
// pinned, and the search for whole records finds out whether the others fit around them. That it finds nothing proves
// nothing.
type anchorer struct {
	*component
	ctx    context.Context
	bodies []int
	// left is how many searches there may be, and most how many nodes of the component.
	left int
	most int64
	tide *tide
	// last is the way of placing bodies that fitted last, the first to be tried next.
	last []anchor
}

// An anchor is where a record with windows is put.
type anchor int

const (
	atBottom anchor = iota
	atTop
	free // anywhere, held whole
	anchors
)

// anchored lowers the total of a component, at the bound first and then by bisection, as
// far as it finds something within a number of nodes; zero means any number.
func (c *component) anchored(ctx context.Context, nodes int64) {
	a := newAnchorer(ctx, c, nodes)
	if a.fit(c.aim(c.floor.Bytes)) {
		return
	}
	for low := c.aim(c.floor.Bytes) + c.step; low < c.total && !a.spent(); {
		if capacity := c.aim(low + (c.aim(c.total-1)-low)/2); !a.fit(capacity) {
			low = capacity + c.step
		}
	}
}

func newAnchorer(ctx context.Context, c *component, nodes int64) *anchorer {
	a := &anchorer{component: c, ctx: ctx, left: anchorSearches, most: c.nodes + nodes}
	if nodes == 0 {
		a.most = math.MaxInt64
	}
	for i, r := range c.records {
		if !r.Pinned && heldInPart(problem.Records{r}) {
			a.bodies = append(a.bodies, i)
		}
	}
	weight := func(i int) float64 {
		r := c.records[i]
		return float64(r.Size) * float64(r.Last-r.First+1)
	}
	slices.SortStableFunc(a.bodies, func(i, j int) int { return cmp.Compare(weight(j), weight(i)) })
	a.bodies = a.bodies[:min(len(a.bodies), maxAnchored)]
	a.last = make([]anchor, len(a.bodies))
	a.tide = newTide(c.records)
	return a
}

// spent reports whether no more is to be tried.
func (a *anchorer) spent() bool {
	return a.left <= 0 || a.nodes >= a.most || deadline.Err(a.ctx) != nil
}

// fit tries all ways of placing the bodies in an arena of a capacity.
func (a *anchorer) fit(capacity int64) bool {
	return a.place(0, capacity, make([]anchor, len(a.bodies)), map[int]int64{})
}

// place puts body k and those behind it at their anchors, and searches.
func (a *anchorer) place(k int, capacity int64, at []anchor, offsets map[int]int64) bool {
	if a.spent() {
		return false
	}
	if k == len(a.bodies) {
		return a.tide.within(a.records, offsets, capacity) && a.search(capacity, at, offsets)
	}
	body := a.bodies[k]
	r := a.records[body]
	low, high, ok := r.Clear(a.placed(offsets), capacity)
	for turn := range anchors {
		at[k] = (a.last[k] + turn) % anchors
		if at[k] != free {
			if !ok {
				continue
			}
			offsets[body] = low
			if at[k] == atTop {
				offsets[body] = high
			}
		}
		if a.place(k+1, capacity, at, offsets) {
			return true
		}
		delete(offsets, body)
	}
	return false
}

// placed returns the records that lie at fixed places.
func (a *anchorer) placed(offsets map[int]int64) (list []lifetime.Placed) {
	for i, r := range a.records {
		if at, ok := offsets[i]; ok {
			list = append(list, lifetime.Placed{Record: r, At: at})
		} else if r.Pinned {
			list = append(list, lifetime.Placed{Record: r, At: r.Offset})
		}
	}
	return list
}

// search looks for offsets of all records but those that have one.
func (a *anchorer) search(capacity int64, at []anchor, offsets map[int]int64) bool {
	a.left--
	sub := &component{total: capacity, step: a.step, windows: true}
	for i, r := range a.records {
		offset, fixed := offsets[i]
		if !fixed {
			sub.rows, sub.records = append(sub.rows, i), append(sub.records, r)
			continue
		}
		for p := range r.Pieces {
			sub.rows = append(sub.rows, -1)
			sub.records = append(sub.records, lifetime.Record{
				First: p.First, Last: p.Last, Size: p.Hi - p.Lo, Pinned: true, Offset: offset + p.Lo,
			})
		}
	}
	sub.offsets = make([]int64, len(sub.records))
	if sub.prepare(); sub.form == nil {
		return false
	}
	found := sub.try(a.ctx, capacity, packing.Order{Keys: probeKeys[0]}, 2*int64(len(sub.records)))
	// To set a search up takes as long as some nodes.
	if a.nodes += max(sub.nodes, int64(len(sub.records))); found != problem.Fits {
		return false
	}
	spread := make([]int64, len(a.records))
	for k, i := range sub.rows {
		if i >= 0 {
			spread[i] = sub.offsets[k]
		}
	}
	for i, offset := range offsets {
		spread[i] = offset
	}
	a.adopt(spread)
	copy(a.last, at)
	return true
}
