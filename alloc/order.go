package alloc

import (
	"cmp"

	"golang.org/x/exp/slices"
)

// identity returns 0 to n-1.
func identity(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// orderBy returns the records' indices sorted by less-than-zero comparison, equal
// ones in row order. It is the only place that sorts records, so that no strategy's
// ties are left to an unstable sort.
func orderBy(records Records, compare func(i, j int) int) []int {
	order := identity(len(records))
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(compare(i, j), i-j) })
	return order
}

// bySizeOrder returns larger records first, equal sizes in row order.
func bySizeOrder(records Records) []int {
	return orderBy(records, func(i, j int) int { return cmp.Compare(records[j].Size, records[i].Size) })
}

// inOrder returns earlier first positions first, equal ones in row order.
func inOrder(records Records) []int {
	return orderBy(records, func(i, j int) int { return cmp.Compare(records[i].First, records[j].First) })
}

// bySizeThenFirst returns larger records first, equal sizes by first position, then
// in row order.
func bySizeThenFirst(records Records) []int {
	return orderBy(records, func(i, j int) int {
		return cmp.Or(cmp.Compare(records[j].Size, records[i].Size), cmp.Compare(records[i].First, records[j].First))
	})
}
