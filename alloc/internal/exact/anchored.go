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

// anchoredSearch searches for smaller totals of a component with windows. The largest records with
// windows are placed as far to the bottom or to the top as the ones before allow, with their
// temporarily free bytes in the middle; each then becomes several pinned records, and the search for
// whole records decides whether the others fit around them. A failure proves nothing.
type anchoredSearch struct {
	*component
	ctx      context.Context
	anchored []int
	// searchesLeft is the remaining number of searches, and maxNodes the node limit of the component.
	searchesLeft int
	maxNodes     int64
	load         *loadOverTime
	// last is the last way of placing the anchored records that fitted, tried first next time.
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

// searchAnchored lowers the total of a component, at the bound first and then by bisection, within a
// number of nodes; zero means no limit.
func (c *component) searchAnchored(ctx context.Context, nodes int64) {
	a := newAnchoredSearch(ctx, c, nodes)
	if a.fit(c.usefulTotal(c.floor.Bytes)) {
		return
	}
	for low := c.usefulTotal(c.floor.Bytes) + c.step; low < c.total && !a.spent(); {
		if capacity := c.usefulTotal(low + (c.usefulTotal(c.total-1)-low)/2); !a.fit(capacity) {
			low = capacity + c.step
		}
	}
}

func newAnchoredSearch(ctx context.Context, c *component, nodes int64) *anchoredSearch {
	a := &anchoredSearch{component: c, ctx: ctx, searchesLeft: anchorSearches, maxNodes: c.nodes + nodes}
	if nodes == 0 {
		a.maxNodes = math.MaxInt64
	}
	for i, r := range c.records {
		if !r.Pinned && hasWindows(problem.Records{r}) {
			a.anchored = append(a.anchored, i)
		}
	}
	weight := func(i int) float64 {
		r := c.records[i]
		return float64(r.Size) * float64(r.Last-r.First+1)
	}
	slices.SortStableFunc(a.anchored, func(i, j int) int { return cmp.Compare(weight(j), weight(i)) })
	a.anchored = a.anchored[:min(len(a.anchored), maxAnchored)]
	a.last = make([]anchor, len(a.anchored))
	a.load = newLoadOverTime(c.records)
	return a
}

// spent reports whether the limits are reached.
func (a *anchoredSearch) spent() bool {
	return a.searchesLeft <= 0 || a.nodes >= a.maxNodes || deadline.Err(a.ctx) != nil
}

// fit tries all ways of placing the anchored records in an arena of a capacity.
func (a *anchoredSearch) fit(capacity int64) bool {
	return a.place(0, capacity, make([]anchor, len(a.anchored)), map[int]int64{})
}

// place puts anchored record k and all later ones at their anchors, and searches.
func (a *anchoredSearch) place(k int, capacity int64, at []anchor, offsets map[int]int64) bool {
	if a.spent() {
		return false
	}
	if k == len(a.anchored) {
		return a.load.within(a.records, offsets, capacity) && a.search(capacity, at, offsets)
	}
	row := a.anchored[k]
	r := a.records[row]
	low, high, ok := r.Clear(a.placed(offsets), capacity)
	for turn := range anchors {
		at[k] = (a.last[k] + turn) % anchors
		if at[k] != free {
			if !ok {
				continue
			}
			offsets[row] = low
			if at[k] == atTop {
				offsets[row] = high
			}
		}
		if a.place(k+1, capacity, at, offsets) {
			return true
		}
		delete(offsets, row)
	}
	return false
}

// placed returns the records at fixed places.
func (a *anchoredSearch) placed(offsets map[int]int64) (list []lifetime.Placed) {
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
func (a *anchoredSearch) search(capacity int64, at []anchor, offsets map[int]int64) bool {
	a.searchesLeft--
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
	if sub.prepare(); sub.packing == nil {
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
