package fit

import (
	"cmp"
	"context"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/split"
)

// A point is a path with what it promises.
type point struct {
	edges []edge
	cost
	// places are where tensors are that are handed on, in bytes, as far as that is known.
	places map[int]int64
}

// stages returns the stages of a path, in order.
func (p *point) stages() (list []split.Stage) {
	for _, e := range p.edges {
		if e.stage != nil {
			list = append(list, *e.stage)
		}
	}
	return list
}

// weights are what a persistent byte is worth in multiply-accumulates, when the cheapest
// path is looked for.
var weights = []float64{0.001, 1, 10, 100, 1000, 1e5}

// frontier returns the paths from boundary 0 to boundary n that no other path beats, by
// falling peak: the cheapest below each peak that an edge has. When ctx ends it returns those
// that it has.
func frontier(ctx context.Context, edges []edge, n int) (list []point) {
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Compare(a.to, b.to) })
	limits := make([]int64, len(edges))
	for k, e := range edges {
		limits[k] = e.peak
	}
	slices.Sort(limits)
	limits = slices.Compact(limits)
	var within []*edge
	// reached is the peak of the path found last for each weight: it stays the
	// cheapest until the limit is below that.
	reached := make([]int64, len(weights))
	for i := range reached {
		reached[i] = math.MaxInt64
	}
	for k := len(limits) - 1; k >= 0; k-- {
		if slices.Max(reached) <= limits[k] {
			continue
		}
		if ctx.Err() != nil {
			break
		}
		within = within[:0]
		for i := range edges {
			if edges[i].peak <= limits[k] {
				within = append(within, &edges[i])
			}
		}
		for i, weight := range weights {
			if reached[i] <= limits[k] {
				continue
			}
			p, ok := shortest(within, n, weight)
			if !ok {
				return undominated(list)
			}
			list, reached[i] = append(list, p), p.peak
		}
	}
	return undominated(list)
}

// shortest returns the cheapest path of edges, which are sorted by where they end.
func shortest(edges []*edge, n int, weight float64) (point, bool) {
	price := make([]float64, n+1)
	via := make([]*edge, n+1)
	for i := range price {
		price[i] = math.Inf(1)
	}
	price[0] = 0
	for _, e := range edges {
		c := price[e.from] + float64(e.macs) + weight*float64(max(e.tail, 0))
		if c < price[e.to] {
			price[e.to], via[e.to] = c, e
		}
	}
	if math.IsInf(price[n], 1) {
		return point{}, false
	}
	var p point
	for at := n; at > 0; at = via[at].from {
		p.edges, p.cost = append(p.edges, *via[at]), p.plus(via[at].cost)
	}
	slices.Reverse(p.edges)
	return p, true
}

// undominated keeps the points that no other is as good as in all, by falling peak.
func undominated(list []point) (kept []point) {
	slices.SortStableFunc(list, func(a, b point) int {
		return cmp.Or(cmp.Compare(a.peak, b.peak), cmp.Compare(a.sure, b.sure), cmp.Compare(a.macs, b.macs), cmp.Compare(a.tail, b.tail))
	})
	for _, p := range list {
		if !slices.ContainsFunc(kept, func(q point) bool { return q.beats(p.cost) }) {
			kept = append(kept, p)
		}
	}
	slices.Reverse(kept)
	return kept
}
