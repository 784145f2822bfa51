package coloring

import "golang.org/x/exp/slices"

// A vector has the ranks of the objects' sizes, in descending order; 0 is no object. A larger vector
// has room for everything that a smaller one has room for.

// sizes are the sizes of vectors' entries.
type sizes struct {
	bytes []int64 // by rank, rising; bytes[0] is 0
	count []int   // by rank, the number of items
}

func (s *sizes) total(vector []int) int64 {
	var total int64
	for _, rank := range vector {
		total += s.bytes[rank]
	}
	return total
}

// below reports whether every entry of v is at most the entry of w.
func below(v, w []int) bool {
	for k := range v {
		if v[k] > w[k] {
			return false
		}
	}
	return true
}

// raise returns the smallest vector at or above v whose entry k has the rank, and nil if it is not
// below ceiling. No vector of a best solution lies between: entries before k are as large, and as every
// object is as large as its largest item, no size has more objects than items.
func (s *sizes) raise(v []int, k, rank int, ceiling []int, leaders bool) []int {
	w := slices.Clone(v)
	w[k] = max(w[k], rank)
	run := 0
	for k := len(w) - 1; k >= 0; k-- {
		if k+1 < len(w) && w[k] <= w[k+1] {
			w[k] = w[k+1]
			run++
		} else {
			run = 1
		}
		if leaders && w[k] > 0 && run > s.count[w[k]] {
			w[k]++
			run = 1
		}
		if w[k] > ceiling[k] {
			return nil
		}
	}
	return w
}
