package inplace

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/lifetime"
)

// TestWays: every list is of the takeovers given, each shorter than the one before it, and
// the last never raises the breadth.
func TestWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records, takeovers := drawn(t)
		known := map[lifetime.Takeover]bool{}
		for _, x := range takeovers {
			known[x] = true
		}
		ways := TakeoverSets(records, takeovers)
		for i, way := range ways {
			if i > 0 && len(way) >= len(ways[i-1]) {
				t.Fatalf("%d takeovers behind %d", len(way), len(ways[i-1]))
			}
			for _, x := range way {
				if !known[x] {
					t.Fatalf("%v is new", x)
				}
			}
		}
		merged := Narrowest(records, ways, nil)
		for i := range merged[1:] {
			if lifetime.MaxBreadth(merged[i].Records) > lifetime.MaxBreadth(merged[i+1].Records) {
				t.Fatal("not by breadth")
			}
		}
		if lifetime.MaxBreadth(merged[0].Records) > lifetime.MaxBreadth(records) {
			t.Fatal("the narrowest is wider than no merging")
		}
	})
}
