package greedy

import (
	"math"

	"github.com/tflarena/tflarena/alloc/internal/sets"
	"github.com/tflarena/tflarena/internal/integer"
)

// A fit chooses the offset of a tensor of size bytes, a multiple of align, among the bytes that tensors
// alive with it leave free. taken is ascending and its spans do not touch.
type fit func(taken []sets.Span, size, align int64) int64

// bestFit chooses the smallest sufficient gap, the lowest of equal ones, else the end (Pisarchyk and
// Lee 2020, Algorithm 3). A gap begins at its first aligned byte.
func bestFit(taken []sets.Span, size, align int64) int64 {
	var end int64
	best, smallest := int64(-1), int64(math.MaxInt64)
	for _, s := range taken {
		start := end
		if s.Lo-end >= size { // else skip the division
			start = integer.RoundUp(end, align)
		}
		gap := s.Lo - start
		if gap == size {
			return start // none is smaller
		}
		if gap > size && gap < smallest {
			best, smallest = start, gap
		}
		end = s.Hi
	}
	if best < 0 {
		return integer.RoundUp(end, align)
	}
	return best
}

// firstFit chooses the lowest sufficient gap, else the end (GreedyMemoryPlanner of
// TensorFlow Lite Micro).
func firstFit(taken []sets.Span, size, align int64) int64 {
	var end int64
	for _, s := range taken {
		if s.Lo-end >= size { // else skip the division
			if start := integer.RoundUp(end, align); s.Lo-start >= size {
				return start
			}
		}
		end = s.Hi
	}
	return integer.RoundUp(end, align)
}

// litertFit is bestFit with a quirk of LiteRT's SimpleMemoryArena: a gap counts from its first aligned
// byte when compared with the smallest so far, but from its first free byte when stored as the
// smallest.
func litertFit(taken []sets.Span, size, align int64) int64 {
	var end int64
	best, smallest := int64(-1), int64(math.MaxInt64)
	for _, s := range taken {
		if s.Lo-end >= size { // else skip the division
			start := integer.RoundUp(end, align)
			if start+size <= s.Lo && s.Lo-start < smallest {
				best, smallest = start, s.Lo-end
			}
		}
		end = s.Hi
	}
	if best < 0 {
		return integer.RoundUp(end, align)
	}
	return best
}
