package alloc

import "math"

// A fit chooses the offset of a tensor of size bytes, a multiple of align, among
// the bytes that tensors alive with it leave free. taken is ascending and its spans
// do not touch.
type fit func(taken []span, size, align int64) int64

// bestFit chooses the smallest sufficient gap, the lowest of equals, else the end
// (Pisarchyk and Lee 2020, Algorithm 3). A gap begins at its first aligned byte.
func bestFit(taken []span, size, align int64) int64 {
	var end int64
	best, smallest := int64(-1), int64(math.MaxInt64)
	for _, s := range taken {
		start := end
		if s.lo-end >= size { // else spare the division
			start = roundUp(end, align)
		}
		gap := s.lo - start
		if gap == size {
			return start // none is smaller
		}
		if gap > size && gap < smallest {
			best, smallest = start, gap
		}
		end = s.hi
	}
	if best < 0 {
		return roundUp(end, align)
	}
	return best
}

// firstFit chooses the lowest sufficient gap, else the end (GreedyMemoryPlanner of
// TensorFlow Lite Micro).
func firstFit(taken []span, size, align int64) int64 {
	var end int64
	for _, s := range taken {
		if s.lo-end >= size { // else spare the division
			if start := roundUp(end, align); s.lo-start >= size {
				return start
			}
		}
		end = s.hi
	}
	return roundUp(end, align)
}

// litertFit is bestFit with a quirk of LiteRT's SimpleMemoryArena: a gap counts
// from its first aligned byte when it is compared with the smallest so far, but
// from its first free byte when it is remembered as the smallest.
func litertFit(taken []span, size, align int64) int64 {
	var end int64
	best, smallest := int64(-1), int64(math.MaxInt64)
	for _, s := range taken {
		if s.lo-end >= size { // else spare the division
			start := roundUp(end, align)
			if start+size <= s.lo && s.lo-start < smallest {
				best, smallest = start, s.lo-end
			}
		}
		end = s.hi
	}
	if best < 0 {
		return roundUp(end, align)
	}
	return best
}
