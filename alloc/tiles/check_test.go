package tiles

import (
	"math"
	"testing"

	"github.com/tflarena/tflarena/lifetime"
)

// TestCheckFarOffset: an offset from which a tensor would end above the largest number is refused.
func TestCheckFarOffset(t *testing.T) {
	p := Problem{Tensors: []lifetime.Tiled{{Size: 100, Accesses: []lifetime.Access{{Write: true, Hi: 100}}}}}
	for _, at := range []int64{math.MaxInt64, math.MaxInt64 - 99} {
		if err := Check(p, []int64{at}, 0); err == nil {
			t.Errorf("offset %d passes", at)
		}
	}
}
