package fit

import (
	"cmp"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/split"
)

// A point is a path with what it promises.
type point struct {
	edges []edge
	cost
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

// levels are what the limits are of: the peak, what is sure, and what lies between, since
// plans come down to one of these.
var levels = []func(c cost) int64{
	func(c cost) int64 { return c.peak },
	func(c cost) int64 { return c.sure },
	func(c cost) int64 { return c.peak + (c.sure-c.peak)/4 },
	func(c cost) int64 { return c.peak + (c.sure-c.peak)/2 },
	func(c cost) int64 { return c.peak + (c.sure-c.peak)*3/4 },
}

// frontier returns the paths from boundary 0 to boundary n that no other path beats, by
// falling peak. Where tensors can share memory there are more: a plan does not always come
// down to the peak, and the more the pieces differ, the likelier one does.
func frontier(edges []edge, n int) []point {
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Compare(a.to, b.to) })
	list := limited(edges, n, levels[0])
	if !slices.ContainsFunc(edges, func(e edge) bool { return e.peak != e.sure }) {
		return undominated(list)
	}
	spatial := slices.DeleteFunc(slices.Clone(edges), func(e edge) bool { return e.stage != nil && e.stage.Channels > 1 })
	for _, level := range levels {
		list = append(list, limited(edges, n, level)...)
		list = append(list, limited(spatial, n, level)...)
	}
	return undominated(list)
}

// limited returns the cheapest paths for each limit of a level.
func limited(edges []edge, n int, level func(c cost) int64) (list []point) {
	of := make([]int64, len(edges))
	for k, e := range edges {
		of[k] = level(e.cost)
	}
	limits := slices.Clone(of)
	slices.Sort(limits)
	limits = slices.Compact(limits)
	var within []*edge
	// reached is the largest level of the path found last for each weight: it stays the
	// cheapest until the limit is below that.
	reached := make([]int64, len(weights))
	for i := range reached {
		reached[i] = math.MaxInt64
	}
	for k := len(limits) - 1; k >= 0; k-- {
		if slices.Max(reached) <= limits[k] {
			continue
		}
		within = within[:0]
		for i := range edges {
			if of[i] <= limits[k] {
				within = append(within, &edges[i])
			}
		}
		for i, weight := range weights {
			if reached[i] <= limits[k] {
				continue
			}
			p, ok := shortest(within, n, weight)
			if !ok {
				return list
			}
			list, reached[i] = append(list, p), 0
			for _, e := range p.edges {
				reached[i] = max(reached[i], level(e.cost))
			}
		}
	}
	return list
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
