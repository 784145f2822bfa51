package reorder

import (
	"context"
	"fmt"

	"github.com/tflarena/tflarena/alloc/schedule"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/order"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// Least searches for the order of a view's operators with the lowest peak, including kernel
// scratch, among the orders that LiteRT computes correctly. Its Bound holds for all orders. The
// error is a [*order.DisorderError] if an operator reads the output of a later one. When ctx
// ends, Least returns the best so far.
func Least(ctx context.Context, v *rules.View, scratch []rules.Request) (*schedule.Ordering, error) {
	all, err := problem(v, scratch).Least(ctx, 0)
	if err != nil || all.Peak >= all.Own {
		return all, err
	}
	hazards := rules.Hazards(v.Model)
	if len(broken(hazards, all.Orders)) == 0 {
		return all, nil
	}
	right := &schedule.Ordering{Orders: make([][]int, len(all.Orders)), Peak: all.Own}
	careful, places, ok := carefully(v, hazards)
	if ok {
		if right, err = problem(careful, scratch).Least(ctx, 0); err != nil {
			return nil, err
		}
	}
	if right.Peak >= all.Own {
		right.Peak, right.Orders, places = all.Own, make([][]int, len(all.Orders)), nil
	}
	return known(all, right, places), nil
}

func problem(v *rules.View, scratch []rules.Request) *schedule.Problem {
	return &schedule.Problem{
		Graph: v.Graph, Subgraph: v.Subgraph, Extra: v.Extra(scratch),
		Keep: lifetime.Keep{Inputs: v.Rules.KeepInputs, Outputs: v.Rules.KeepOutputs, Unread: v.Rules.KeepUnread},
		Records: func(orders [][]int) ([]lifetime.Record, error) {
			w, err := v.Reordered(orders)
			if err != nil {
				return nil, err
			}
			return w.WithScratch(scratch), nil
		},
	}
}

// Sorted returns topological orders, one for each subgraph, nil if the file's own is one.
// disorder describes the problem in the file's order, or is nil. err means that no such order
// exists.
func Sorted(v *rules.View) (orders [][]int, disorder, err error) {
	orders = make([][]int, len(v.Graph.Subgraphs))
	for s := range v.Graph.Subgraphs {
		sub := &v.Graph.Subgraphs[s]
		wrong := order.Check(sub)
		if wrong == nil {
			continue
		}
		disorder = fmt.Errorf("subgraph %d: %w", s, wrong)
		if orders[s], err = order.Sorted(sub); err != nil {
			return nil, disorder, fmt.Errorf("subgraph %d: %w", s, err)
		}
	}
	return orders, disorder, nil
}

// Moved counts the operators that orders move.
func Moved(orders [][]int) (n int) {
	for _, list := range orders {
		for i, old := range list {
			if i != old {
				n++
			}
		}
	}
	return n
}
