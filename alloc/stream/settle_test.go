package stream_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/check"
	"github.com/tflarena/tflarena/internal/testkit/streaming"
)

// TestSettle: settled plans are right and keep their weights, times and memory, up to the alignment of the highest tensor. In
// two plans, all weights that are resident in both have the same offsets, if both plans are settled.
func TestSettle(t *testing.T) {
	shared := 0
	rapid.Check(t, func(t *rapid.T) {
		net := streaming.Network(t, 10)
		var plans []*stream.Plan
		for _, budget := range []int64{streaming.Budget(t, net), stream.Whole(net) + 64} {
			plan, err := stream.Solve(t.Context(), net, budget, stream.Options{SearchNodes: 200})
			if err != nil {
				return
			}
			plans = append(plans, plan)
		}
		settled, err := stream.Settle(net, plans)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range settled {
			if err := check.Run(net, p.Placement, p.Waits, p.Timeline); err != nil || p.Peak != p.Placement.Peak(net) || p.Peak >= plans[i].Peak+64 || p.Peak > p.Budget {
				t.Fatalf("peak %d after %d of %d: %v", p.Peak, plans[i].Peak, p.Budget, err)
			}
		}
		if settled[0] == plans[0] || settled[1] == plans[1] {
			return
		}
		for i := range net.Tensors {
			if settled[0].Resident[i] && settled[1].Resident[i] {
				shared++
				if settled[0].Offsets[i] != settled[1].Offsets[i] {
					t.Fatalf("weight %d is at %d and at %d", i, settled[0].Offsets[i], settled[1].Offsets[i])
				}
			}
		}
	})
	if shared == 0 {
		t.Error("no weight is resident in two plans")
	}
}
