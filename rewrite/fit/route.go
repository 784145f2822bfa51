package fit

import (
	"cmp"
	"container/heap"
	"context"
	"math"
	"sync"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/chain"
)

// How far plans of links are searched for, how many records make one count for two, and how
// many are looked for at the same time, whatever the processors.
const (
	linkNodes   = 2000
	linkRecords = 64
	together    = 4
)

// A stop is a boundary, and where in the arena the tensor is that is alive across it.
type stop struct {
	at    int
	place int64
}

// A step is a stop that is reached, or an edge from there that is to be tried with the k-th
// place for what it hands on.
type step struct {
	stop
	known, hoped float64 // the price up to the stop, and that of all at least
	edge, k      int
	from         *step
	serial       int
}

// A router looks for the cheapest path whose parts have plans that fit to each other: a
// shortest path over boundaries and places of what is alive there. What is left of the way is
// at least the price without regard to places, so that few parts are ever planned.
type router struct {
	row   *row
	ctx   context.Context
	limit int64
	outs  map[int][]int64
	plans map[planned]int64
	// left is how many plans may be looked for yet.
	left int
	*prospects
	// next are the edges from each boundary, the most promising first, and rest what the
	// way from there costs at least.
	next map[int][]int
	rest []float64
}

// A planned is an edge whose tensors at the ends are to be somewhere.
type planned struct {
	edge    int
	in, out int64
}

// misfit is where the tensor lies that is handed on when there is no plan.
const misfit = math.MinInt64

// Prospects are what is known of edges whatever the limit.
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

func newRouter(ctx context.Context, r *row, known *prospects, limit int64, most int) *router {
	return &router{row: r, ctx: ctx, limit: limit, left: most, prospects: known, outs: map[int][]int64{}, plans: map[planned]int64{}}
}

// cheapest returns the cheapest path by a price of edges, false where none is found.
func (t *router) cheapest(price func(e *edge) float64) (point, bool) {
	t.prepare(price)
	open := &steps{}
	serial := 0
	push := func(s step) {
		serial++
		s.serial = serial
		heap.Push(open, &s)
	}
	if math.IsInf(t.rest[0], 1) {
		return point{}, false
	}
	push(step{stop: stop{0, chain.Anywhere}, hoped: t.rest[0], edge: -1})
	closed := map[stop]bool{}
	end := len(t.row.breadth)
	for open.Len() > 0 && t.left > 0 && t.ctx.Err() == nil {
		s := heap.Pop(open).(*step)
		switch {
		case s.edge >= 0:
			e := &t.edges[s.edge]
			if !t.alone(s.edge) {
				continue
			}
			outs := t.places(s.edge)
			if more := s.k + together; more < len(outs) {
				push(step{stop: s.stop, known: s.known, hoped: s.hoped, edge: s.edge, k: more, from: s.from})
			}
			for _, place := range t.plan(s.edge, s.place, outs[s.k:min(s.k+together, len(outs))]) {
				if place != misfit && !closed[stop{e.to, place}] {
					push(step{stop: stop{e.to, place}, known: s.known + price(e), hoped: s.hoped, edge: -1, k: s.edge, from: s.from})
				}
			}
		case closed[s.stop]:
		case s.at == end:
			return t.path(s), true
		default:
			closed[s.stop] = true
			for _, k := range t.next[s.at] {
				e := &t.edges[k]
				push(step{stop: s.stop, known: s.known, hoped: s.known + price(e) + t.rest[e.to], edge: k, from: s})
			}
		}
	}
	return point{}, false
}

// prepare finds what the way from each boundary costs at least.
func (t *router) prepare(price func(e *edge) float64) {
	n := len(t.row.breadth)
	t.rest, t.next = make([]float64, n+1), map[int][]int{}
	for i := range n {
		t.rest[i] = math.Inf(1)
	}
	var order []int
	for k, e := range t.edges {
		if e.peak <= t.limit {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(t.edges[j].from, t.edges[i].from) })
	for _, k := range order {
		e := &t.edges[k]
		if hope := price(e) + t.rest[e.to]; !math.IsInf(hope, 1) {
			t.rest[e.from] = min(t.rest[e.from], hope)
			t.next[e.from] = append(t.next[e.from], k)
		}
	}
	for _, list := range t.next {
		slices.SortStableFunc(list, func(i, j int) int {
			a, b := &t.edges[i], &t.edges[j]
			return cmp.Compare(price(a)+t.rest[a.to], price(b)+t.rest[b.to])
		})
	}
}

// places returns where the tensor may be that an edge hands on: at the ends of the arena,
// where the likeliest edges behind it can do with it, and anywhere.
func (t *router) places(k int) []int64 {
	if list, ok := t.outs[k]; ok {
		return list
	}
	list := []int64{chain.Anywhere}
	e := &t.edges[k]
	if l := t.link(k); l != nil && e.to < len(t.row.breadth) && t.row.crossing(e.to) >= 0 {
		list = l.Outs(t.limit)
		for _, next := range t.next[e.to][:min(2, len(t.next[e.to]))] {
			if l := t.link(next); l != nil {
				t.spend(l)
				for _, at := range l.Ins(t.ctx, t.limit, linkNodes) {
					if !slices.Contains(list, at) {
						list = append(list, at)
					}
				}
			}
		}
		list = append(list, chain.Anywhere)
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
	t.fails[k] = t.limit
	return false
}

// spend counts the plan of a link that is looked for.
func (t *router) spend(l *chain.Link) { t.left -= 1 + l.Records()/linkRecords }

// path returns the path that leads to a step.
func (t *router) path(s *step) (p point) {
	for ; s.from != nil; s = s.from {
		e := t.edges[s.k]
		p.edges, p.cost = append(p.edges, e), p.plus(e.cost)
	}
	slices.Reverse(p.edges)
	return p
}

// steps is a heap of steps: the cheapest first, of these those that are furthest.
type steps []*step

func (h steps) Len() int      { return len(h) }
func (h steps) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h steps) Less(i, j int) bool {
	a, b := h[i], h[j]
	if d := a.hoped - b.hoped; math.Abs(d) > 1e-12 {
		return d < 0
	}
	return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(b.serial, a.serial)) < 0
}
func (h *steps) Push(x any) { *h = append(*h, x.(*step)) }
func (h *steps) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}
