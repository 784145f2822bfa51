package fit

import (
	"cmp"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/split"
)

// A point is a path with what it promises: the peak in bytes, extra
// multiply-accumulates and extra persistent bytes.
type point struct {
	edges            []edge
	peak, macs, tail int64
	// hopeful says that the peak is what outputs that take over inputs may leave of it.
	hopeful bool
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

// frontier returns the paths from boundary 0 to boundary n that no other path is below in
// peak, extra work and tail, by falling peak.
func frontier(edges []edge, n int) []point {
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Compare(a.to, b.to) })
	var limits []int64
	for _, e := range edges {
		limits = append(limits, e.peak)
	}
	slices.Sort(limits)
	limits = slices.Compact(limits)
	var list []point
	for k := len(limits) - 1; k >= 0; k-- {
		some := false
		for _, weight := range weights {
			p, ok := shortest(edges, n, limits[k], weight)
			if some = some || ok; ok {
				list = append(list, p)
			}
		}
		if !some {
			break
		}
	}
	return undominated(list)
}

// shortest returns the cheapest path of edges whose peak is within a limit.
func shortest(edges []edge, n int, limit int64, weight float64) (point, bool) {
	cost := make([]float64, n+1)
	via := make([]int, n+1)
	for i := range cost {
		cost[i], via[i] = math.Inf(1), -1
	}
	cost[0] = 0
	for k := range edges { // sorted by where they end, and none goes back
		e := &edges[k]
		if e.peak > limit {
			continue
		}
		c := cost[e.from] + float64(e.macs) + weight*float64(max(e.tail, 0))
		if c < cost[e.to] {
			cost[e.to], via[e.to] = c, k
		}
	}
	if math.IsInf(cost[n], 1) {
		return point{}, false
	}
	var p point
	for at := n; at > 0; at = edges[via[at]].from {
		e := edges[via[at]]
		p.edges = append(p.edges, e)
		p.peak, p.macs, p.tail = max(p.peak, e.peak), p.macs+e.macs, p.tail+e.tail
	}
	slices.Reverse(p.edges)
	return p, true
}

// undominated keeps the points that no other is as good as in all, by falling peak.
func undominated(list []point) (kept []point) {
	slices.SortStableFunc(list, func(a, b point) int {
		return cmp.Or(cmp.Compare(a.peak, b.peak), cmp.Compare(a.macs, b.macs), cmp.Compare(a.tail, b.tail))
	})
	for _, p := range list {
		if !slices.ContainsFunc(kept, func(q point) bool { return q.peak <= p.peak && q.macs <= p.macs && q.tail <= p.tail }) {
			kept = append(kept, p)
		}
	}
	slices.Reverse(kept)
	return kept
}
