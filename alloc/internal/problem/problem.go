// Package problem computes common properties of planning problems for strategies: orders of records,
// load over time, and lower bounds.
package problem

import "github.com/tflarena/tflarena/lifetime"

// Records are the records of a problem. Their order breaks ties.
type Records = []lifetime.Record

// A Placement is the result of a search: offsets and total, in bytes, and whether the search was
// interrupted.
type Placement struct {
	Offsets     []int64
	Total       int64
	Interrupted bool
}

// TotalOf returns the total of non-empty records at offsets, in bytes.
func TotalOf(records Records, offsets []int64) int64 {
	var total int64
	for i, r := range records {
		total = max(total, offsets[i]+r.Size)
	}
	return total
}
