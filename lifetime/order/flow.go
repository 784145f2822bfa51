package order

import "math"

// unlimited is a capacity that no flow exhausts.
const unlimited = math.MaxInt64 / 4

// A network is a flow network. Edges come in pairs, each one the reverse of the other.
type network struct {
	head     []int32 // the last edge out of a node, or -1
	to       []int32
	nextEdge []int32 // the next edge out of the same node
	capacity []int64
	level    []int32
	at       []int32
	queue    []int32
}

func (g *network) clear() {
	g.head, g.to, g.nextEdge, g.capacity = g.head[:0], g.to[:0], g.nextEdge[:0], g.capacity[:0]
}

// nodes adds n nodes and returns the first one.
func (g *network) nodes(n int) int32 {
	first := int32(len(g.head))
	for range n {
		g.head = append(g.head, -1)
	}
	return first
}

func (g *network) edge(from, to int32, room int64) {
	g.half(from, to, room)
	g.half(to, from, 0)
}

func (g *network) half(from, to int32, room int64) {
	g.to = append(g.to, to)
	g.capacity = append(g.capacity, room)
	g.nextEdge = append(g.nextEdge, g.head[from])
	g.head[from] = int32(len(g.to) - 1)
}

// flow returns the maximum flow (Dinic 1970).
func (g *network) flow(source, sink int32) int64 {
	var sum int64
	for g.layers(source, sink) {
		g.at = append(g.at[:0], g.head...)
		for {
			pushed := g.push(source, sink, unlimited)
			if pushed == 0 {
				break
			}
			sum += pushed
		}
	}
	return sum
}

// layers computes the distance of each node and reports whether the sink is reachable.
func (g *network) layers(source, sink int32) bool {
	g.level = g.level[:0]
	for range g.head {
		g.level = append(g.level, -1)
	}
	g.level[source] = 0
	g.queue = append(g.queue[:0], source)
	for i := 0; i < len(g.queue); i++ {
		v := g.queue[i]
		for e := g.head[v]; e >= 0; e = g.nextEdge[e] {
			if w := g.to[e]; g.capacity[e] > 0 && g.level[w] < 0 {
				g.level[w] = g.level[v] + 1
				g.queue = append(g.queue, w)
			}
		}
	}
	return g.level[sink] >= 0
}

// push sends up to most along one path; the recursion depth is at most the number of nodes.
func (g *network) push(v, sink int32, most int64) int64 {
	if v == sink {
		return most
	}
	for ; g.at[v] >= 0; g.at[v] = g.nextEdge[g.at[v]] {
		e := g.at[v]
		if g.capacity[e] == 0 || g.level[g.to[e]] != g.level[v]+1 {
			continue
		}
		if pushed := g.push(g.to[e], sink, min(most, g.capacity[e])); pushed > 0 {
			g.capacity[e] -= pushed
			g.capacity[e^1] += pushed
			return pushed
		}
	}
	return 0
}

// toward sets the level of the nodes from which the sink is still reachable to 0, and of the
// others to -1.
func (g *network) toward(sink int32) {
	for i := range g.level {
		g.level[i] = -1
	}
	g.level[sink] = 0
	g.queue = append(g.queue[:0], sink)
	for i := 0; i < len(g.queue); i++ {
		for e := g.head[g.queue[i]]; e >= 0; e = g.nextEdge[e] {
			if u := g.to[e]; g.capacity[e^1] > 0 && g.level[u] < 0 {
				g.level[u] = 0
				g.queue = append(g.queue, u)
			}
		}
	}
}
