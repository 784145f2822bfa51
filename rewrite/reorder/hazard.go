package reorder

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/schedule"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/order"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// broken returns the hazards with the writer before the reader in orders; a nil or missing
// order is the file's.
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

// Careful returns the orders closest to the file's in which LiteRT computes correct results,
// one for each subgraph, nil for the file's own. ok is false if there are none.
func Careful(v *rules.View) (orders [][]int, ok bool) {
	_, orders, ok = carefully(v, rules.Hazards(v.Model))
	return orders, ok
}

// carefully returns the view with every reader before the writer: in the file's order or, if
// that violates a hazard, in the closest one that does not. places gives the operators'
// positions in the file then. It reports whether such an order exists.
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

// Compose returns orders of the file equivalent to applying first places and then orders.
// orders[s][i] is the position, by places, of the operator that runs i-th. A nil order moves no
// operator.
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

// known returns the ordering of all orders, but with the best order that LiteRT runs correctly,
// which is given relative to places.
func known(all, right *schedule.Ordering, places [][]int) *schedule.Ordering {
	out := *all
	out.Orders, out.Peak = Compose(places, right.Orders), right.Peak
	out.Proven = out.Peak <= out.Bound
	out.States, out.Interrupted = all.States+right.States, all.Interrupted || right.Interrupted
	return &out
}
