package route

import (
	"cmp"
	"context"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
)

// Budget bounds the search of a [Router].
type Budget struct {
	// Limit is the size of the arena in bytes, Peak the maximum peak of a single part.
	Limit, Peak int64
	// Plans is the maximum number of link plans searched.
	Plans int
}

// Router finds the cheapest path whose parts have compatible plans: a shortest path over
// boundaries and offsets of the tensor live there. The lower bound for the rest of the way is
// its price without regard to offsets, so few parts are ever planned.
type Router struct {
	ctx         context.Context
	links       *Links
	limit, peak int64
	// left is the number of plans that may still be searched.
	left int
	// outs holds the offsets to try for a part's handed-on tensor, plans the resulting ones.
	outs  map[int][]int64
	plans map[planned]int64
	// next holds the parts from each boundary, most promising first, rest the minimum price
	// from there to the end.
	next map[int][]int
	rest []float64
}

// Router returns a search for paths. It ends with ctx.
func (l *Links) Router(ctx context.Context, b Budget) *Router {
	return &Router{
		ctx: ctx, links: l, limit: b.Limit, peak: b.Peak, left: b.Plans,
		outs: map[int][]int64{}, plans: map[planned]int64{},
	}
}

func (r *Router) row() *parts.Row { return r.links.row }

// Limit returns the size of the arena in bytes.
func (r *Router) Limit() int64 { return r.limit }

// Left returns the number of link plans that may still be searched. If it is not positive, an
// existing path may have been missed.
func (r *Router) Left() int { return r.left }

// Cheapest returns the cheapest path by a price of parts, or false if none is found. It may be
// called again with another price: known plans are reused.
func (r *Router) Cheapest(price func(p *parts.Part) float64) (parts.Path, bool) {
	if r.prepare(price); math.IsInf(r.rest[0], 1) {
		return parts.Path{}, false
	}
	w := &walk{router: r, price: price, closed: map[stop]bool{}}
	end := w.run()
	if end == nil {
		return parts.Path{}, false
	}
	return r.path(end), true
}

// prepare computes the minimum price from each boundary to the end.
func (r *Router) prepare(price func(p *parts.Part) float64) {
	list, n := r.links.parts, r.row().Len()
	r.rest, r.next = make([]float64, n+1), map[int][]int{}
	for i := range n {
		r.rest[i] = math.Inf(1)
	}
	var order []int
	for k, p := range list {
		if p.Cost.Peak <= r.peak {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(list[j].From, list[i].From) })
	for _, k := range order {
		p := &list[k]
		if hope := price(p) + r.rest[p.To]; !math.IsInf(hope, 1) {
			r.rest[p.From] = min(r.rest[p.From], hope)
			r.next[p.From] = append(r.next[p.From], k)
		}
	}
	for _, next := range r.next {
		slices.SortStableFunc(next, func(i, j int) int {
			a, b := &list[i], &list[j]
			return cmp.Compare(price(a)+r.rest[a.To], price(b)+r.rest[b.To])
		})
	}
}

// path returns the path to a step.
func (r *Router) path(s *step) (path parts.Path) {
	path.Places = map[int]int64{}
	for ; s.from != nil; s = s.from {
		p := r.links.parts[s.part]
		path.Parts, path.Cost = append(path.Parts, p), path.Cost.Plus(p.Cost)
		if tensor := r.row().Crossing(p.To); tensor >= 0 && s.place != inplace.Anywhere {
			path.Places[tensor] = s.place
		}
	}
	slices.Reverse(path.Parts)
	return path
}
