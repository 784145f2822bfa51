package benchmarks

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// An operatorOrder is an order of a network's operators, with the records of that order.
type operatorOrder struct {
	words   string
	records []lifetime.Record
}

// drawnOrders is the number of random orders of the operators of one depth.
const drawnOrders = 100

// ordersByDepth returns orders of a network's operators by depth, the number of operators on the longest
// path to them. Operators of one depth are in the network's order, in reverse, and in random orders.
func ordersByDepth(t *testing.T, v *rules.View) []operatorOrder {
	t.Helper()
	operators := v.Graph.Subgraphs[0].Operators
	depth := depths(operators)
	var list []operatorOrder
	add := func(words string, rank func(o int) int) {
		order := make([]int, len(operators))
		for o := range order {
			order[o] = o
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Or(depth[a]-depth[b], rank(a)-rank(b)) })
		w, err := v.Reordered([][]int{order})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, operatorOrder{words, w.Records()})
	}
	add("operators by depth", func(o int) int { return o })
	add("operators by depth, equal ones last first", func(o int) int { return -o })
	for seed := range drawnOrders {
		random := rand.New(rand.NewPCG(uint64(seed), 1)).Perm(len(operators))
		add(fmt.Sprintf("operators by depth, equal ones in random order %d", seed), func(o int) int { return random[o] })
	}
	return list
}

// depths returns the depths of operators, which stand in an order of execution.
func depths(operators []lifetime.Operator) []int {
	depth := make([]int, len(operators))
	made := map[int]int{} // depths by tensor
	for o := range operators {
		for _, x := range operators[o].Inputs {
			depth[o] = max(depth[o], made[x])
		}
		for _, x := range operators[o].Outputs {
			made[x] = depth[o] + 1
		}
	}
	return depth
}

// mostFigures returns the order in which our strategies give the most printed figures of a network, and
// their number; the first of equal ones.
func mostFigures(t *testing.T, orders []operatorOrder, network int) (best operatorOrder, most int) {
	t.Helper()
	for _, order := range orders {
		count := 0
		for _, p := range papers {
			for _, row := range p.rows {
				total, err := figure(t.Context(), p.approach, row.strategy, order.records)
				if err != nil {
					t.Fatal(err)
				}
				if printedAs(total, row.figures[network]) {
					count++
				}
			}
		}
		if count > most {
			best, most = order, count
		}
	}
	return best, most
}
