package order

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/deadline"
)

// A floor computes lower bounds: the bytes that must be alive while one operator runs, whatever
// ran before it, as far as the order is free.
type floor struct {
	p         *problem
	anc, desc relation
	known     set // the operators with a computed flow
	net       network
}

// fate is the state of a value while an operator runs.
type fate int8

const (
	open    fate = iota // depends on which other operators have run
	dead                // not alive in any order
	certain             // alive in every order
)

// fate returns the fate of a value while v runs.
func (f *floor) fate(x *value, v int32) fate {
	before, after := x.entry, x.kept // an operator that touches it has run, has not run
	loose := 0
	for _, u := range x.ops {
		switch {
		case u == v:
			return certain
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
		return certain
	case loose == 0:
		return dead
	}
	return open
}

// certain returns the bytes that are alive in every order while v runs.
func (f *floor) certain(v int32) int64 {
	sum := f.p.base + f.p.extra[v]
	for i := range f.p.values {
		if f.fate(&f.p.values[i], v) == certain {
			sum += f.p.values[i].size
		}
	}
	return sum
}

// least returns the fewest bytes that can be alive while v runs. The operators that ran before
// v form a closed set, and the bytes alive after a set are a cut in a network, so the minimum
// is a maximum flow (as in a closure problem, Picard 1976).
func (f *floor) least(v int32) int64 {
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
		switch f.fate(x, v) {
		case certain:
			sum += x.size
		case open:
			f.value(x, node)
		}
	}
	return sum + g.flow(source, sink)
}

// value adds the edge that is cut if the value is alive: some operators that touch it have run,
// and some have not.
func (f *floor) value(x *value, node []int32) {
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

// most is the number of operators up to which quadratic work is done.
const most = 4096

// quick returns a lower bound on the peak of every order.
func (f *floor) quick() int64 {
	var bound int64
	for v := range f.p.preds {
		bound = max(bound, f.certain(int32(v)))
	}
	return bound
}

// cuts returns a lower bound on the peak of every order, by flows, at least bound. The bytes
// alive while an operator runs in some order limit the result of its flow, so few operators
// need one: at most the n operators with the most bytes.
func (f *floor) cuts(bound int64, during []int64, n int, m *meter) int64 {
	ops := make([]int32, 0, len(during))
	for v := range during {
		if during[v] > bound && !f.known.has(int32(v)) {
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
			f.known.add(v)
			bound = max(bound, f.least(v))
		}
	}
	return bound
}
