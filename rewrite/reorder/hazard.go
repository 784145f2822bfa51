package reorder

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/schedule"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/order"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// broken returns those of hazards in which orders have the writer before the reader; an
// order that is nil or missing is that of the file.
func broken(hazards []rules.Hazard, orders [][]int) (list []rules.Hazard) {
	if len(hazards) == 0 {
		return nil
	}
	at := make([][]int, len(orders))
	for s, order := range orders {
		if order == nil {
			continue
		}
		at[s] = make([]int, len(order))
		for i, operator := range order {
			at[s][operator] = i
		}
	}
	for _, h := range hazards {
		reader, writer := h.Reader, h.Writer
		if h.Subgraph < len(at) && at[h.Subgraph] != nil {
			reader, writer = at[h.Subgraph][reader], at[h.Subgraph][writer]
		}
		if reader > writer {
			list = append(list, h)
		}
	}
	return list
}

// Careful returns the orders nearest to the file's in which LiteRT computes a model
// correctly, one for each subgraph, nil where the file's own order does. ok is false where
// there are none.
func Careful(v *rules.View) (orders [][]int, ok bool) {
	_, orders, ok = carefully(v, rules.Hazards(v.Model))
	return orders, ok
}

// carefully returns the view with every reader before the writer: in the order of the file
// or, where that is another, in the one next to it, and then where its operators are in the
// file. It reports whether there is such an order.
func carefully(v *rules.View, hazards []rules.Hazard) (_ *rules.View, places [][]int, ok bool) {
	out := *v
	before := make([][][2]int, len(v.Model.Subgraphs))
	for _, h := range hazards {
		before[h.Subgraph] = append(before[h.Subgraph], [2]int{h.Reader, h.Writer})
	}
	out.Graph = &lifetime.Graph{Subgraphs: slices.Clone(v.Graph.Subgraphs)}
	for s := range out.Graph.Subgraphs {
		out.Graph.Subgraphs[s].Before = before[s]
	}
	list := make([][]int, len(out.Graph.Subgraphs))
	for s := range out.Graph.Subgraphs {
		sorted, err := order.Sorted(&out.Graph.Subgraphs[s])
		if err != nil {
			return nil, nil, false
		}
		if !slices.IsSorted(sorted) {
			list[s], places = sorted, list
		}
	}
	if places == nil {
		return &out, nil, true
	}
	w, err := out.Reordered(places)
	return w, places, err == nil
}

// Compose returns the orders of the file that have the same effect as first applying places
// and then orders. orders[s][i] is where, by places, the operator stands that runs i-th. An
// order that is nil leaves its operators where they are.
func Compose(places, orders [][]int) [][]int {
	if places == nil {
		return orders
	}
	out := slices.Clone(places)
	for s, order := range orders {
		switch {
		case order == nil:
		case places[s] == nil:
			out[s] = order
		default:
			out[s] = make([]int, len(order))
			for i, place := range order {
				out[s][i] = places[s][place]
			}
		}
	}
	return out
}

// known returns what is known of all orders with, in the place of the best one, the best
// of those that LiteRT runs right, which stand in places of the file's order.
func known(all, right *schedule.Ordering, places [][]int) *schedule.Ordering {
	out := *all
	out.Orders, out.Peak = Compose(places, right.Orders), right.Peak
	out.Proven = out.Peak <= out.Bound
	out.States, out.Interrupted = all.States+right.States, all.Interrupted || right.Interrupted
	return &out
}
