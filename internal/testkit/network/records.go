package network

import (
	"fmt"
	"math/rand/v2"

	"github.com/tflarena/tflarena/lifetime"
)

// Records returns n records as in a deep network: operator i produces record i. Most tensors are read
// by the next operator, some by one a few further on, one in fifty by a distant one (a long skip
// connection); sizes come from a few channel counts and resolutions, so that they repeat.
func Records(r *rand.Rand, n int) []lifetime.Record {
	records := make([]lifetime.Record, n)
	for i := range records {
		length := 1
		switch k := r.IntN(50); {
		case k == 0:
			length = 20 + r.IntN(400)
		case k < 8:
			length = 2 + r.IntN(8)
		}
		side, channels := int64(7)<<r.IntN(5), int64(16+8*r.IntN(30))
		records[i] = lifetime.Record{ID: fmt.Sprint(i), First: i, Last: i + length, Size: side * side * channels}
	}
	return records
}
