package rewrite

import (
	"fmt"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// Reorder returns the file of m with the operators of its subgraphs in another order.
// orders[s][i] is the index in the file of the operator of subgraph s to run i-th, both from 0.
// A nil or missing order keeps the subgraph's order. m must come from package tflite's parser;
// it is not modified.
//
// Only the vectors of operators are overwritten: the file keeps its size and all other bytes,
// and reordering back gives the old file. A new order invalidates memory plans, so plans are
// removed first, as [Remove] does; Method and Added then come from Remove. Orders that move no
// operator change nothing, plans included.
//
// Orders that are not permutations are an error. A [*RefusedError] names the two operators and
// the tensor if an order would make an operator read or write something else than in the file's
// order. [Options.Force] overrides it if operators that access the same state besides their
// outputs (a resource variable, or an unknown one) would be swapped, if metadata names
// operators by index, and if the removed plan is another tool's.
func Reorder(m *tflite.Model, orders [][]int, o Options) (*Result, error) {
	orders, err := checkOrders(m, orders)
	if err != nil {
		return nil, err
	}
	if !moves(orders) {
		return &Result{Data: m.Data, Method: Unchanged}, nil
	}
	forced, err := checkReorder(m, orders, o)
	if err != nil {
		return nil, err
	}
	r, base, err := unplanned(m, o)
	if err != nil {
		return nil, err
	}
	data, err := patch.Reorder(base, orders)
	if err != nil {
		return nil, err
	}
	return result(m, data, r.Method, append(append(r.Changes, describeOrders(orders)...), forced...)...), nil
}

// unplanned removes the plans and returns the result and its model.
func unplanned(m *tflite.Model, o Options) (*Result, *tflite.Model, error) {
	if !patch.Carries(m) {
		return &Result{Method: InPlace}, m, nil
	}
	r, err := Remove(m, o)
	if err != nil {
		return nil, nil, err
	}
	base, err := tflite.Parse(r.Data, m.Name)
	return r, base, err
}

// describeOrders returns, for each subgraph, the number of operators moved, as text.
func describeOrders(orders [][]int) (lines []string) {
	for s, order := range orders {
		if order == nil {
			continue
		}
		n := 0
		for i, old := range order {
			if i != old {
				n++
			}
		}
		lines = append(lines, fmt.Sprintf("operators of subgraph %d with a new place: %d of %d", s, n, len(order)))
	}
	return lines
}

// moves reports whether any operator moves.
func moves(orders [][]int) bool {
	for _, order := range orders {
		if order != nil {
			return true
		}
	}
	return false
}

// checkOrders returns one order per subgraph, nil if it moves no operator.
func checkOrders(m *tflite.Model, orders [][]int) ([][]int, error) {
	if len(orders) > len(m.Subgraphs) {
		return nil, fmt.Errorf("there are %d orders, the model has %d subgraphs", len(orders), len(m.Subgraphs))
	}
	out := make([][]int, len(m.Subgraphs))
	for s, order := range orders {
		if order == nil {
			continue
		}
		if err := checkPermutation(order, len(m.Subgraphs[s].Operators)); err != nil {
			return nil, fmt.Errorf("the order of subgraph %d %w", s, err)
		}
		for i, old := range order {
			if i != old {
				out[s] = order
				break
			}
		}
	}
	return out, nil
}

// checkPermutation returns an error, worded for the end of a sentence, unless order is a
// permutation of [0, n).
func checkPermutation(order []int, n int) error {
	if len(order) != n {
		return fmt.Errorf("has %d operators, but the subgraph has %d", len(order), n)
	}
	seen := make([]bool, n)
	for _, old := range order {
		if old < 0 || old >= n {
			return fmt.Errorf("has operator %d, but the subgraph has %d", old, n)
		}
		if seen[old] {
			return fmt.Errorf("has operator %d twice", old)
		}
		seen[old] = true
	}
	return nil
}
