package pool

import "github.com/tflarena/tflarena/internal/integer"

// The constants of PyTorch's caching allocator, in bytes.
const (
	granule           = 512     // kMinBlockSize, and the unit of Chainer's pool
	smallSize         = 1 << 20 // kSmallSize: the largest block of a small segment
	smallSegment      = 2 << 20 // kSmallBuffer
	largeSegment      = 20 << 20
	minOwnSegment     = 10 << 20 // kMinLargeAlloc: larger blocks get a segment of their own
	ownSegmentGranule = 2 << 20  // kRoundLarge
	addressSpace      = int64(1) << 40
	segmentSpacing    = int64(2) << 20
)

// rules are the differences of pools.
type rules struct {
	// small reports whether a block comes from a small segment. The two kinds are never mixed.
	small func(size int64) bool
	// segment returns the size of a new segment for a block, unless segments are expandable.
	segment func(size int64) int64
	// splits reports whether the rest of a block is cut off.
	splits func(small bool, rest int64) bool
	// lastFirst prefers, of free blocks of equal size, the one that was freed last, instead of the one
	// with the lowest address.
	lastFirst bool
	// expandable is set if each lane and kind has one segment, which grows.
	expandable bool
}

var cachingRules = rules{
	small: func(size int64) bool { return size <= smallSize },
	segment: func(size int64) int64 {
		switch {
		case size <= smallSize:
			return smallSegment
		case size < minOwnSegment:
			return largeSegment
		}
		return integer.RoundUp(size, ownSegmentGranule)
	},
	splits: func(small bool, rest int64) bool {
		if small {
			return rest >= granule
		}
		return rest > smallSize
	},
}

// expandableRules are those with expandable_segments:True.
var expandableRules = rules{
	small:      cachingRules.small,
	splits:     func(_ bool, rest int64) bool { return rest >= granule },
	expandable: true,
}

var chainerRules = rules{
	small:     func(int64) bool { return false },
	segment:   func(size int64) int64 { return size },
	splits:    func(_ bool, rest int64) bool { return rest >= granule },
	lastFirst: true,
}
