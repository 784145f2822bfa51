package problem

import (
	"cmp"

	"golang.org/x/exp/slices"
)

// Identity returns 0 to n-1.
func Identity(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// OrderBy returns the records' indices sorted by less-than-zero comparison, equal
// ones in row order. It is the only place that sorts records, so that no strategy's
// ties are left to an unstable sort.
func OrderBy(records Records, compare func(i, j int) int) []int {
	order := Identity(len(records))
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(compare(i, j), i-j) })
	return order
}

// BySize returns larger records first, equal sizes in row order.
func BySize(records Records) []int {
	return OrderBy(records, func(i, j int) int { return cmp.Compare(records[j].Size, records[i].Size) })
}

// InOrder returns earlier first positions first, equal ones in row order.
func InOrder(records Records) []int {
	return OrderBy(records, func(i, j int) int { return cmp.Compare(records[i].First, records[j].First) })
}

// BySizeThenFirst returns larger records first, equal sizes by first position, then
// in row order.
func BySizeThenFirst(records Records) []int {
	return OrderBy(records, func(i, j int) int {
		return cmp.Or(cmp.Compare(records[j].Size, records[i].Size), cmp.Compare(records[i].First, records[j].First))
	})
}
