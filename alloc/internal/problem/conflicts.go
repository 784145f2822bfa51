package problem

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// Conflicts returns for each record the number of others that are alive together with it:
// those that begin before it ends, except those that end before it begins.
func Conflicts(records Records) []int {
	firsts, lasts := make([]int, len(records)), make([]int, len(records))
	for i, r := range records {
		firsts[i], lasts[i] = r.First, r.Last
	}
	slices.Sort(firsts)
	slices.Sort(lasts)
	shared := make([]int, len(records))
	for i, r := range records {
		begun, _ := slices.BinarySearch(firsts, r.Last+1)
		over, _ := slices.BinarySearch(lasts, r.First)
		shared[i] = begun - over - 1
	}
	return shared
}

// Length returns the lifetime of r, less one; uint64 cannot overflow for any interval.
func Length(r lifetime.Record) uint64 { return uint64(r.Last) - uint64(r.First) }
