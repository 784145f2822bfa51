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

// For records that are partly held at times, up to maxAnchored of the largest are placed at the bottom
// or the top of the arena, in up to anchorSearches searches.
const (
	maxAnchored    = 6
	anchorSearches = 400
)

// anchorer searches for smaller totals of a component with windows. The largest records with windows
// are placed as far to the bottom or to the top as the ones before allow, with their temporarily free
// bytes in the middle; each then becomes several pinned records, and the search for whole records
// decides whether the others fit around them. A failure proves nothing.
type anchorer struct {
	*component
	ctx    context.Context
	bodies []int
	// left is the remaining number of searches, and most the node limit of the component.
	left int
	most int64
	tide *tide
	// last is the last way of placing bodies that fitted, tried first next time.
	last []anchor
}

// An anchor is the place of a record with windows.
type anchor int

const (
	atBottom anchor = iota
	atTop
	free // anywhere, held whole
	anchors
)

// anchored lowers the total of a component, at the bound first and then by bisection, within a number
// of nodes; zero means no limit.
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

// spent reports whether the limits are reached.
func (a *anchorer) spent() bool {
	return a.left <= 0 || a.nodes >= a.most || deadline.Err(a.ctx) != nil
}

// fit tries all ways of placing the bodies in an arena of a capacity.
func (a *anchorer) fit(capacity int64) bool {
	return a.place(0, capacity, make([]anchor, len(a.bodies)), map[int]int64{})
}

// place puts body k and all later ones at their anchors, and searches.
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

// placed returns the records at fixed places.
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

// search searches for offsets of all records without one.
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
	// Setting up a search takes as long as some nodes.
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
