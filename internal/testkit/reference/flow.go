package reference

import (
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// network is the flow network with every edge stored. Edge e and its reverse are e
// and e^1.
type network struct {
	edges []edge
	from  [][]int // edges by vertex, in insertion order
}

type edge struct {
	to, capacity int
	cost         int64
}

func (g *network) add(a, b int, cost int64) {
	g.from[a] = append(g.from[a], len(g.edges))
	g.from[b] = append(g.from[b], len(g.edges)+1)
	g.edges = append(g.edges, edge{b, 1, cost}, edge{a, 0, -cost})
}

// augment sends one unit along a cheapest path, if there is any.
func (g *network) augment(source, sink int) bool {
	distance := make([]int64, len(g.from))
	via := make([]int, len(g.from))
	for v := range distance {
		distance[v] = math.MaxInt64
	}
	distance[source] = 0
	for queue := []int{source}; len(queue) > 0; {
		var next []int
		queued := map[int]bool{}
		for _, v := range queue {
			for _, e := range g.from[v] {
				edge := g.edges[e]
				if edge.capacity == 0 || distance[v]+edge.cost >= distance[edge.to] {
					continue
				}
				distance[edge.to], via[edge.to] = distance[v]+edge.cost, e
				if !queued[edge.to] {
					queued[edge.to] = true
					next = append(next, edge.to)
				}
			}
		}
		queue = next
	}
	if distance[sink] == math.MaxInt64 {
		return false
	}
	for v := sink; v != source; v = g.edges[via[v]^1].to {
		g.edges[via[v]].capacity--
		g.edges[via[v]^1].capacity++
	}
	return true
}

func flow(records []lifetime.Record) *Objects {
	n := len(records)
	source, sink := 2*n, 2*n+1
	order := sorted(n, func(i, j int) bool { return records[i].First < records[j].First })
	g := &network{from: make([][]int, 2*n+2)}
	var ended []int // ranks in order, as they end
	for k, i := range order {
		for {
			next := -1
			for j := range k {
				r := records[order[j]]
				if r.Last < records[i].First && !slices.Contains(ended, j) && (next < 0 || r.Last < records[order[next]].Last) {
					next = j
				}
			}
			if next < 0 {
				break
			}
			ended = append(ended, next)
		}
		g.add(source, k, 0)
		g.add(n+k, sink, 0)
		g.add(source, n+k, records[i].Size)
		for _, j := range ended {
			g.add(j, n+k, max(0, records[i].Size-records[order[j]].Size))
		}
	}
	for g.augment(source, sink) {
	}
	s := newObjects(records)
	var follow func(k, object int)
	follow = func(k, object int) {
		s.assign(order[k], object)
		for _, e := range g.from[k] {
			if to := g.edges[e].to - n; g.edges[e].capacity == 0 && to >= 0 && to < n && s.Of[order[to]] < 0 {
				follow(to, object)
			}
		}
	}
	for _, e := range g.from[source] {
		if to := g.edges[e].to - n; g.edges[e].capacity == 0 && to >= 0 && to < n {
			follow(to, len(s.Sizes))
		}
	}
	return s
}
