package stream

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/testkit/streaming"
)

// TestReads compares what a run reads with all plans of small networks that are as fast: none reads fewer bytes than the
// bound, and the plan reads the fewest in at least 80 % of cases.
func TestReads(t *testing.T) {
	found, exact := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		net := streaming.Network(t, 5)
		budget := streaming.Budget(t, net)
		plan, err := Solve(context.Background(), net, budget, Options{})
		if err != nil {
			return
		}
		var all int64
		sizes := make([]int64, len(net.Layers))
		for _, x := range net.Tensors {
			if x.Kind == network.Weight {
				all += x.Size
				sizes[x.First] += x.Size
			}
		}
		least := all
		streaming.Each(net, func(p streaming.Plan) {
			read := all
			for i, resident := range p.Resident {
				if resident {
					read -= sizes[i]
				}
			}
			if p.Latency > plan.Latency || read >= least || !streaming.Fits(net, p, (budget+63)&^63) {
				return
			}
			placement, err := (&task{net: net, budget: budget}).place(context.Background(), p.Resident, p.First, 1_000_000)
			if err != nil {
				t.Fatal(err)
			}
			if placement != nil {
				least = read
			}
		})
		if plan.ReadBound > least || plan.ReadBound > plan.Read || plan.PeakBound > plan.Peak {
			t.Fatalf("%d B read, bound %d, least %d; peak %d, bound %d", plan.Read, plan.ReadBound, least, plan.Peak, plan.PeakBound)
		}
		found++
		if plan.Read <= least {
			exact++
		}
	})
	if exact*10 < found*8 {
		t.Errorf("%d of %d plans read the fewest bytes", exact, found)
	}
}

// TestAmpleMemory: with memory for everything, a run reads nothing, and takes no more memory than all weights and the
// largest step.
func TestAmpleMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := streaming.Network(t, 14)
		whole := Whole(net)
		for _, budget := range []int64{whole, whole + 1 + rapid.Int64Range(0, 1<<30).Draw(t, "more")} {
			plan, err := Solve(context.Background(), net, budget, Options{SearchNodes: 500})
			if err != nil {
				t.Fatal(err)
			}
			if plan.Read != 0 || plan.Peak > whole {
				t.Fatalf("in %d B: %d B read, peak %d, whole %d", budget, plan.Read, plan.Peak, whole)
			}
		}
	})
}
