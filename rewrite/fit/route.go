package fit

import (
	"cmp"
	"container/heap"
	"context"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/chain"
)

// A stop is a boundary, and where in the arena the tensor is that is alive across it.
type stop struct {
	at    int
	place int64
}

// A router looks for the cheapest path whose parts have plans that fit to each other: a
// shortest path over boundaries and places of what is alive there. What is left of the way is
// at least the price without regard to places, so that few parts are ever planned.
type router struct {
	row   *row
	ctx   context.Context
	limit int64
	// most is what an edge may need by itself, in bytes.
	most  int64
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

func newRouter(ctx context.Context, r *row, known *prospects, limit int64, links int) *router {
	return &router{row: r, ctx: ctx, limit: limit, most: limit, left: links, prospects: known, outs: map[int][]int64{}, plans: map[planned]int64{}}
}

// cheapest returns the cheapest path by a price of edges, false where none is found.
func (t *router) cheapest(price func(e *edge) float64) (point, bool) {
	if t.prepare(price); math.IsInf(t.rest[0], 1) {
		return point{}, false
	}
	w := &walk{router: t, price: price, closed: map[stop]bool{}}
	w.push(step{stop: stop{0, chain.Anywhere}, hoped: t.rest[0], edge: -1})
	for w.open.Len() > 0 && t.left > 0 && t.ctx.Err() == nil {
		s := heap.Pop(&w.open).(*step)
		switch {
		case s.edge >= 0:
			w.try(s)
		case w.closed[s.stop]:
		case s.at == len(t.row.breadth):
			return t.path(s), true
		default:
			w.leave(s)
		}
	}
	return point{}, false
}

// A walk is one search of a router.
type walk struct {
	*router
	price  func(e *edge) float64
	open   steps
	closed map[stop]bool
	serial int
}

func (w *walk) push(s step) {
	w.serial++
	s.serial = w.serial
	heap.Push(&w.open, &s)
}

// leave opens the edges from a stop, none of which has been tried.
func (w *walk) leave(s *step) {
	w.closed[s.stop] = true
	for _, k := range w.next[s.at] {
		e := &w.edges[k]
		w.push(step{stop: s.stop, known: s.known, hoped: s.known + w.price(e) + w.rest[e.to], edge: k, from: s})
	}
}

// try looks for plans of an edge with what it hands on in some places, and opens the stops
// that it leads to. The other places have their turn when nothing else is as cheap.
func (w *walk) try(s *step) {
	if !w.alone(s.edge) {
		return
	}
	e, outs := &w.edges[s.edge], w.places(s.edge)
	if more := s.k + together; more < len(outs) {
		w.push(step{stop: s.stop, known: s.known, hoped: s.hoped, edge: s.edge, k: more, from: s.from})
	}
	for _, place := range w.plan(s.edge, s.place, outs[s.k:min(s.k+together, len(outs))]) {
		if place != misfit && !w.closed[stop{e.to, place}] {
			w.push(step{stop: stop{e.to, place}, known: s.known + w.price(e), hoped: s.hoped, edge: -1, k: s.edge, from: s.from})
		}
	}
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
		if e.peak <= t.most {
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

// path returns the path that leads to a step.
func (t *router) path(s *step) (p point) {
	p.places = map[int]int64{}
	for ; s.from != nil; s = s.from {
		e := t.edges[s.k]
		p.edges, p.cost = append(p.edges, e), p.plus(e.cost)
		if tensor := t.row.crossing(e.to); tensor >= 0 && s.place != chain.Anywhere {
			p.places[tensor] = s.place
		}
	}
	slices.Reverse(p.edges)
	return p
}
