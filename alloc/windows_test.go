package alloc

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/lifetime"
)

// TestNeighboursReachTheirLoad: records that live in at most three sections always fit into their load,
// so that a bound from pairs or triples of neighbouring sections equals the load. Records of all three
// sections lie at the bottom, those of the first two above them, those of the last two at the top;
// records of a single section fit into the rest there, which is contiguous.
func TestNeighboursReachTheirLoad(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var records Records
		for range rapid.IntRange(1, 14).Draw(t, "records") {
			first := rapid.IntRange(0, 2).Draw(t, "first")
			last := rapid.IntRange(first, 2).Draw(t, "last")
			records = append(records, rec(rapid.Int64Range(1, 50).Draw(t, "size"), first, last))
		}
		plan := solveDrawn(t, records, Offsets, Exact)
		if load := lifetime.MaxBreadth(records); plan.Total != load {
			t.Fatalf("%d bytes, the load is %d: %v", plan.Total, load, records)
		}
	})
}
