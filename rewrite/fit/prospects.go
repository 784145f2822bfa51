package fit

import (
	"math"
	"sync"

	"github.com/tflarena/tflarena/alloc/chain"
)

// How far plans of links are searched for, how many records make one count for two, and how
// many are looked for at the same time, whatever the processors.
const (
	linkNodes   = 2000
	linkRecords = 64
	together    = 4
)

// prospects are what is known of edges whatever the limit.
type prospects struct {
	edges []edge
	links map[int]*chain.Link
	// fits are limits within which the link of an edge fits by itself, and fails those
	// within which it does not.
	fits, fails map[int]int64
}

func newProspects(edges []edge) *prospects {
	return &prospects{edges: edges, links: map[int]*chain.Link{}, fits: map[int]int64{}, fails: map[int]int64{}}
}

// misfit is where the tensor lies that is handed on when there is no plan.
const misfit = math.MinInt64

// places returns where the tensor may be that an edge hands on: at the ends of the arena,
// where the likeliest edges behind it can do with it, and anywhere.
func (t *router) places(k int) []int64 {
	if list, ok := t.outs[k]; ok {
		return list
	}
	list := []int64{chain.Anywhere}
	if e := &t.edges[k]; e.to < len(t.row.breadth) && t.row.crossing(e.to) >= 0 {
		var next []*chain.Link
		for _, n := range t.next[e.to][:min(2, len(t.next[e.to]))] {
			if l := t.link(n); l != nil {
				t.spend(l)
				next = append(next, l)
			}
		}
		list = t.link(k).Places(t.ctx, t.limit, linkNodes, next...)
	}
	t.outs[k] = list
	return list
}

// link returns the link of an edge, nil where it cannot be made.
func (t *router) link(k int) *chain.Link {
	l, ok := t.links[k]
	if !ok {
		l, _ = t.row.link(&t.edges[k]) // what cannot be cut is no edge
		t.links[k] = l
	}
	return l
}

// plan returns where the tensor lies that an edge hands on, misfit where there is no plan,
// when it is to be in some places. They are tried at the same time.
func (t *router) plan(edge int, in int64, outs []int64) []int64 {
	places := make([]int64, len(outs))
	l := t.link(edge)
	var wait sync.WaitGroup
	for k, out := range outs {
		if place, ok := t.plans[planned{edge, in, out}]; ok {
			places[k] = place
			continue
		}
		t.spend(l)
		wait.Go(func() {
			places[k] = misfit
			if offsets, ok := l.Fit(t.ctx, t.limit, linkNodes, in, out); ok {
				places[k] = l.Out(offsets)
			}
		})
	}
	wait.Wait()
	for k, out := range outs {
		t.plans[planned{edge, in, out}] = places[k]
	}
	return places
}

// alone reports whether there is a plan for an edge by itself.
func (t *router) alone(k int) bool {
	l := t.link(k)
	if l == nil {
		return false
	}
	if fits, ok := t.fits[k]; ok && fits <= t.limit {
		return true
	}
	if fails, ok := t.fails[k]; ok && fails >= t.limit {
		return false
	}
	for _, offsets := range l.Free(t.ctx, t.limit, linkNodes) {
		t.spend(l)
		if offsets != nil {
			t.fits[k] = t.limit
			return true
		}
	}
	if t.ctx.Err() == nil {
		t.fails[k] = t.limit
	}
	return false
}

// spend counts the plan of a link that is looked for.
func (t *router) spend(l *chain.Link) { t.left -= 1 + l.Records()/linkRecords }
