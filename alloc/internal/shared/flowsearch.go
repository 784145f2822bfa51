package shared

import "math"

// search finds a cheapest path from the source to the sink through edges with capacity left, and back
// through those with flow. It improves distances in rounds: each round visits the vertices improved in
// the previous one. The choice among the cheapest paths is part of the published result, so vertices
// and edges are visited in the delegate's order, in which they were added.
//
// There is always a path as long as a record is left without flow: a new object. Edges back into the
// source are omitted: they could improve nothing, since there is no cycle of negative cost.
func (g *flow) search() {
	n := len(g.sizes)
	for v := range g.distance {
		g.distance[v] = math.MaxInt64
	}
	g.distance[2*n] = 0
	g.queue = append(g.queue[:0], 2*n)
	for len(g.queue) > 0 {
		g.next = g.next[:0]
		for _, v := range g.queue {
			switch {
			case v < n:
				g.fromLeft(v)
			case v < 2*n:
				g.fromRight(v - n)
			case v == 2*n:
				g.fromSource()
			default:
				g.fromSink()
			}
		}
		g.queue, g.next = g.next, g.queue
		for _, v := range g.queue {
			g.queued[v] = false
		}
	}
}

// reach offers vertex v a path through u.
func (g *flow) reach(v, u int, distance int64) {
	if distance >= g.distance[v] {
		return
	}
	g.distance[v], g.from[v] = distance, u
	if !g.queued[v] {
		g.queued[v] = true
		g.next = append(g.next, v)
	}
}

func (g *flow) fromSource() {
	n := len(g.sizes)
	for k, size := range g.sizes {
		if g.after[k] == none {
			g.reach(k, 2*n, 0)
		}
		if g.before[k] != opens {
			g.reach(n+k, 2*n, size)
		}
	}
}

// fromLeft takes most of the time: it visits each pair of records.
func (g *flow) fromLeft(j int) {
	n := len(g.sizes)
	distance, size := g.distance[j], g.sizes[j]
	right := g.distance[n : 2*n]
	for k := g.heirs[j]; k < n; k++ {
		if d := distance + max(0, g.sizes[k]-size); d < right[k] && g.after[j] != k {
			g.reach(n+k, j, d)
		}
	}
}

func (g *flow) fromRight(k int) {
	n := len(g.sizes)
	distance := g.distance[n+k]
	switch j := g.before[k]; j {
	case none:
		g.reach(2*n+1, n+k, distance)
	case opens:
	default:
		g.reach(j, n+k, distance-max(0, g.sizes[k]-g.sizes[j]))
	}
}

func (g *flow) fromSink() {
	n := len(g.sizes)
	for k := range g.sizes {
		if g.before[k] != none {
			g.reach(n+k, 2*n+1, g.distance[2*n+1])
		}
	}
}
