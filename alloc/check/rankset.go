package check

import "math/bits"

// A rankSet is a set of small non-negative integers with fast search for neighbours: words of 64
// members, and levels of bits for non-empty words above. A sorted slice would be quadratic for a
// million live tensors.
type rankSet struct {
	levels [][]uint64
}

func newRankSet(n int) *rankSet {
	s := &rankSet{}
	for {
		n = (n + 63) / 64
		s.levels = append(s.levels, make([]uint64, n))
		if n <= 1 {
			return s
		}
	}
}

func (s *rankSet) add(k int) {
	for _, level := range s.levels {
		level[k/64] |= 1 << (k % 64)
		k /= 64
	}
}

func (s *rankSet) remove(k int) {
	for _, level := range s.levels {
		level[k/64] &^= 1 << (k % 64)
		if level[k/64] != 0 {
			return
		}
		k /= 64
	}
}

// before returns the largest member below k, or -1.
func (s *rankSet) before(k int) int {
	for depth, level := range s.levels {
		if word := level[k/64] & (1<<(k%64) - 1); word != 0 {
			k = k/64*64 + bits.Len64(word) - 1
			for depth--; depth >= 0; depth-- {
				k = k*64 + bits.Len64(s.levels[depth][k]) - 1
			}
			return k
		}
		k /= 64
	}
	return -1
}

// after returns the smallest member above k, or -1.
func (s *rankSet) after(k int) int {
	for depth, level := range s.levels {
		if word := level[k/64] &^ (1<<(k%64) - 1) &^ (1 << (k % 64)); word != 0 {
			k = k/64*64 + bits.TrailingZeros64(word)
			for depth--; depth >= 0; depth-- {
				k = k*64 + bits.TrailingZeros64(s.levels[depth][k])
			}
			return k
		}
		k /= 64
	}
	return -1
}
