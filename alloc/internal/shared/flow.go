package shared

import (
	"context"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/deadline"
)

// MaxFlowRecords bounds min-cost-flow: its network has an edge for every pair of disjoint lifetimes,
// and it is searched once for each record, so that time grows with the cube of the number of records.
// This limit was measured to take 0.8 s.
const MaxFlowRecords = 1000

// MinCostFlow chains records into objects by a minimum cost flow (Lee et al. 2019; the GPU delegate's
// MINCOSTFLOW): a unit of flow ends at each record, coming from the source at the cost of a new object,
// or from an earlier record at the cost of growing from that one's size. The cost ignores what an
// object held before that.
func MinCostFlow(ctx context.Context, records problem.Records) (*Objects, error) {
	order := problem.InOrder(records)
	g := newFlow(records, order)
	for range order {
		if err := deadline.Err(ctx); err != nil {
			return nil, err
		}
		g.search()
		g.augment()
	}
	o := newObjects(records)
	for k := range order {
		if g.before[k] != opens {
			continue
		}
		id := o.open(0)
		for at := k; at >= 0; at = g.after[at] {
			o.assign(order[at], g.sizes[at], id)
		}
	}
	return o, nil
}

// A flow is the delegate's flow network. It has a left vertex 0 to n-1 and a right vertex n to 2n-1 for
// each record in order of first position, a source and a sink, and edges of capacity one:
//
//	source to left k, cost 0
//	right k to sink, cost 0
//	source to right k, cost sizes[k]: a new object
//	left j to right k, cost max(0, sizes[k]-sizes[j]): the object of j goes on to k
//
// The edges are not stored: left j leads to all right vertices from heirs[j] on, and the flow is
// defined by the origin of each record's object.
type flow struct {
	sizes []int64
	heirs []int
	// after[j] is the next record of j's object, or none. before[k] is the previous record of k's
	// object, or the source for a new object, or none while no flow ends at k.
	after, before []int

	// The state of a search, by vertex.
	distance    []int64
	from        []int
	queued      []bool
	queue, next []int
}

const (
	none  = -1
	opens = -2
)

func newFlow(records problem.Records, order []int) *flow {
	n := len(order)
	g := &flow{
		sizes: make([]int64, n), heirs: make([]int, n), after: make([]int, n), before: make([]int, n),
		distance: make([]int64, 2*n+2), from: make([]int, 2*n+2), queued: make([]bool, 2*n+2),
	}
	busy := releases()
	for k, i := range order {
		g.sizes[k], g.heirs[k], g.after[k], g.before[k] = records[i].Size, n, none, none
		for busy.Len() > 0 && busy.Top().last < records[i].First {
			g.heirs[busy.Pop().id] = k
		}
		busy.Push(release{records[i].Last, k})
	}
	return g
}

// augment sends one unit of flow along the path that search has found.
func (g *flow) augment() {
	n := len(g.sizes)
	for v := g.from[2*n+1]; v != 2*n; v = g.from[v] {
		switch u := g.from[v]; {
		case v < n: // back along an edge whose end now has another beginning
		case u == 2*n:
			g.before[v-n] = opens
		default:
			g.before[v-n] = u
			g.after[u] = v - n
		}
	}
}
