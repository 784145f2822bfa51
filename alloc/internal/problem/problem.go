// Package problem computes what many strategies need to know of a planning problem: orders
// of its records, their load over time, and numbers that no plan goes below.
package problem

import "github.com/tflarena/tflarena/lifetime"

// Records are those of a problem. Their order decides ties.
type Records = []lifetime.Record

// A Placement is where a search has put records: their offsets and total, in bytes, and
// whether the search was interrupted.
type Placement struct {
	Offsets     []int64
	Total       int64
	Interrupted bool
}

// TotalOf returns the bytes that records take at offsets; none of them is empty.
func TotalOf(records Records, offsets []int64) int64 {
	var total int64
	for i, r := range records {
		total = max(total, offsets[i]+r.Size)
	}
	return total
}
