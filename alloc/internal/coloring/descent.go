package coloring

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
)

// descentPatience is the node limit of a decision in a descent, in addition to two for each item.
const descentPatience = 200

func (s *search) descentPatience() int64 { return descentPatience + 2*int64(len(s.items)) }

// descend searches for better solutions between a vector without room and the best known one, so that
// the search has less to visit and an early result. It takes about as many nodes as the search has
// taken so far.
func (s *search) descend(low []int) {
	if s.opt.without.descent {
		return
	}
	until := 2*s.meter.nodes + s.descentPatience()
	high := s.knownVector(len(low))
	lo, hi := 0, descentSteps
	for lo+1 < hi && s.meter.nodes < until {
		mid := (lo + hi) / 2
		if s.fits(between(low, high, mid), s.descentPatience()) == problem.Fits {
			hi = mid
		} else {
			lo = mid
		}
	}
	vector := between(low, high, hi)
	for k := 0; k < len(vector) && s.meter.nodes < until && !s.meter.over(); {
		if !s.lowerEntry(vector, k) {
			k++
		}
	}
}

// descentSteps is the number of vectors between the floor and the known solution that the descent tries.
const descentSteps = 32

// between returns the vector of a step from low towards high, which are [descentSteps] steps apart.
func between(low, high []int, step int) []int {
	vector := slices.Clone(high)
	for k := range low {
		vector[k] = low[k] + (high[k]-low[k])*step/descentSteps
	}
	return falling(vector)
}

// knownVector returns the vector of the best known solution, with at least n entries.
func (s *search) knownVector(n int) []int {
	known := s.known
	if s.res.Sizes != nil {
		known = s.res.Sizes
	}
	vector := make([]int, 0, max(len(known), n))
	for _, size := range known {
		rank, found := slices.BinarySearch(s.bytes, size)
		if !found {
			rank-- // no item is larger than the next smaller size
		}
		vector = append(vector, rank)
	}
	slices.SortFunc(vector, func(a, b int) int { return b - a })
	for len(vector) < n {
		vector = append(vector, 0)
	}
	return vector
}

// lowerEntry lowers entry k while there is room, at most to the next entry or the floor.
func (s *search) lowerEntry(vector []int, k int) bool {
	old, least := vector[k], 0
	if k+1 < len(vector) {
		least = vector[k+1]
	}
	if k < len(s.floor) {
		least = max(least, s.floor[k])
	}
	for to := least; to < old; to = (to + old + 1) / 2 {
		vector[k] = to
		if s.fits(vector, s.descentPatience()) == problem.Fits {
			return true
		}
	}
	vector[k] = old
	return false
}
