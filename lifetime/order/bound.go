package order

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/deadline"
)

// lowerBounds computes lower bounds: the bytes that must be alive while one operator runs, whatever
// ran before it, as far as the order is free.
type lowerBounds struct {
	p         *problem
	anc, desc relation
	hasFlow   set // the operators with a computed flow
	net       network
}

// liveness is the state of a value while an operator runs.
type liveness int8

const (
	sometimesLive liveness = iota // depends on which other operators have run
	neverLive                     // not alive in any order
	alwaysLive                    // alive in every order
)

// liveness returns the liveness of a value while v runs.
func (f *lowerBounds) liveness(x *value, v int32) liveness {
	before, after := x.entry, x.kept // an operator that touches it has run, has not run
	loose := 0
	for _, u := range x.ops {
		switch {
		case u == v:
			return alwaysLive
		case f.anc.of(v).has(u):
			before = true
		case f.desc.of(v).has(u):
			after = true
		default:
			loose++
		}
	}
	switch {
	case before && after:
		return alwaysLive
	case loose == 0:
		return neverLive
	}
	return sometimesLive
}

// alwaysLiveBytes returns the bytes that are alive in every order while v runs.
func (f *lowerBounds) alwaysLiveBytes(v int32) int64 {
	sum := f.p.base + f.p.extra[v]
	for i := range f.p.values {
		if f.liveness(&f.p.values[i], v) == alwaysLive {
			sum += f.p.values[i].size
		}
	}
	return sum
}

// minLiveBytes returns the fewest bytes that can be alive while v runs. The operators that ran before
// v form a closed set, and the bytes alive after a set are a cut in a network, so the minimum
// is a maximum flow (as in a closure problem, Picard 1976).
func (f *lowerBounds) minLiveBytes(v int32) int64 {
	const source, sink = 0, 1
	g := &f.net
	g.clear()
	g.nodes(2)
	node := make([]int32, len(f.p.preds)) // of each operator that v leaves free
	for u := range node {
		switch {
		case f.anc.of(v).has(int32(u)):
			node[u] = source
		case int32(u) == v || f.desc.of(v).has(int32(u)):
			node[u] = sink
		default:
			node[u] = g.nodes(1)
		}
	}
	for u := range node {
		for _, before := range f.p.preds[u] {
			if node[u] > sink && node[before] > sink {
				g.edge(node[u], node[before], unlimited)
			}
		}
	}
	sum := f.p.base + f.p.extra[v]
	for i := range f.p.values {
		x := &f.p.values[i]
		switch f.liveness(x, v) {
		case alwaysLive:
			sum += x.size
		case sometimesLive:
			f.value(x, node)
		}
	}
	return sum + g.flow(source, sink)
}

// value adds the edge that is cut if the value is alive: some operators that touch it have run,
// and some have not.
func (f *lowerBounds) value(x *value, node []int32) {
	const source, sink = 0, 1
	born, over := int32(source), int32(sink)
	if !x.entry {
		born = f.net.nodes(1)
	}
	if !x.kept {
		over = f.net.nodes(1)
	}
	f.net.edge(born, over, x.size)
	for _, u := range x.ops {
		if !x.entry && node[u] != sink {
			f.net.edge(node[u], born, unlimited)
		}
		if !x.kept && node[u] != source {
			f.net.edge(over, node[u], unlimited)
		}
	}
}

// maxQuadratic is the number of operators up to which quadratic work is done.
const maxQuadratic = 4096

// quickBound returns a lower bound on the peak of every order.
func (f *lowerBounds) quickBound() int64 {
	var bound int64
	for v := range f.p.preds {
		bound = max(bound, f.alwaysLiveBytes(int32(v)))
	}
	return bound
}

// flowBound returns a lower bound on the peak of every order, by flows, at least bound. The bytes
// alive while an operator runs in some order limit the result of its flow, so few operators
// need one: at most the n operators with the most bytes.
func (f *lowerBounds) flowBound(bound int64, during []int64, n int, m *meter) int64 {
	ops := make([]int32, 0, len(during))
	for v := range during {
		if during[v] > bound && !f.hasFlow.has(int32(v)) {
			ops = append(ops, int32(v))
		}
	}
	slices.SortFunc(ops, func(a, b int32) int {
		return cmp.Or(cmp.Compare(during[b], during[a]), cmp.Compare(a, b))
	})
	for _, v := range ops[:min(n, len(ops))] {
		if deadline.Err(m.ctx) != nil {
			m.interrupted = true
			break
		}
		if during[v] > bound {
			f.hasFlow.add(v)
			bound = max(bound, f.minLiveBytes(v))
		}
	}
	return bound
}
