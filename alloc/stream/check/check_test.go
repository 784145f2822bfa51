package check_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/check"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/testkit/streaming"
)

// twoLayers returns an input, two layers with weights and what they make.
func twoLayers() *network.Network {
	layer := network.Layer{Load: 4 * time.Millisecond, Compute: 3 * time.Millisecond}
	return &network.Network{Layers: []network.Layer{{}, layer, layer}, Tensors: []network.Tensor{
		{Kind: network.Activation, First: 0, Last: 1, Size: 64},
		{Kind: network.Weight, First: 1, Last: 1, Size: 128},
		{Kind: network.Activation, First: 1, Last: 2, Size: 64},
		{Kind: network.Weight, First: 2, Last: 2, Size: 128},
	}}
}

// TestPlacement breaks each law by itself.
func TestPlacement(t *testing.T) {
	right := func() *network.Placement {
		return &network.Placement{Resident: make([]bool, 4), Start: []int{0, 1, 1, 2}, Offsets: []int64{0, 64, 192, 64}}
	}
	if err := check.Placement(twoLayers(), right(), 256); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		spoil func(*network.Placement)
		want  string
	}{
		{func(p *network.Placement) { p.Offsets = p.Offsets[:3] }, "the placement has 4, 4 and 3"},
		{func(p *network.Placement) { p.Resident[0] = true }, "is resident, but no weight"},
		{func(p *network.Placement) { p.Resident[1] = true }, "is resident, but begins with step 1"},
		{func(p *network.Placement) { p.Start[3] = 3 }, "begins with step 3, which is not one up to its layer"},
		{func(p *network.Placement) { p.Start[2] = 0 }, "begins with step 0"},
		{func(p *network.Placement) { p.Offsets[3] = 65 }, "lies at 65"},
		{func(p *network.Placement) { p.Offsets[3] = -64 }, "lies at -64"},
		{func(p *network.Placement) { p.Offsets[2] = 256 }, "lies at 256"},
		{func(p *network.Placement) { p.Start[3] = 1 }, "overlap"},
		{func(p *network.Placement) { p.Resident[3], p.Start[3] = true, 0 }, "overlap"},
	} {
		p := right()
		c.spoil(p)
		if err := check.Placement(twoLayers(), p, 256); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestRun breaks the timeline of a right plan in each way.
func TestRun(t *testing.T) {
	net := twoLayers()
	plan, err := stream.Solve(context.Background(), net, 256, stream.Options{Strategy: stream.OnDemand})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		spoil func(waits []int, run *network.Timeline)
		want  string
	}{
		{func([]int, *network.Timeline) {}, ""},
		{func(_ []int, run *network.Timeline) { run.Load = run.Load[1:] }, "the plan has 3, 2 and 3"},
		{func(waits []int, _ *network.Timeline) { waits[2] = 2 }, "waits for layer 2"},
		{func(waits []int, _ *network.Timeline) { waits[2] = 0 }, "holds memory from step 2 on"},
		{func(_ []int, run *network.Timeline) { run.Load[2].Begin-- }, "before layer 1 has computed"},
		{func(_ []int, run *network.Timeline) { run.Load[2].End += 2 }, "load 2 takes"},
		{func(_ []int, run *network.Timeline) {
			run.Compute[2].Begin, run.Compute[2].End = 0, net.Layers[2].Compute
		}, "compute 2 takes"},
		{func(_ []int, run *network.Timeline) { run.Compute[2].End++ }, "compute 2 takes"},
	} {
		waits := slices.Clone(plan.Waits)
		run := &network.Timeline{Load: slices.Clone(plan.Timeline.Load), Compute: slices.Clone(plan.Timeline.Compute)}
		c.spoil(waits, run)
		err := check.Run(net, plan.Placement, waits, run)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestMovedTensors moves a tensor of right plans onto others and wants that to be seen.
func TestMovedTensors(t *testing.T) {
	seen := 0
	rapid.Check(t, func(t *rapid.T) {
		net := streaming.Network(t, 8)
		plan, err := stream.Solve(context.Background(), net, streaming.Budget(t, net), stream.Options{Quick: true})
		if err != nil {
			return
		}
		for i, a := range net.Tensors {
			for j, b := range net.Tensors {
				together := plan.Start[i] <= b.Last && plan.Start[j] <= a.Last || plan.Resident[i] || plan.Resident[j]
				if i == j || !together || a.Size == 0 || b.Size == 0 {
					continue
				}
				moved := plan.Placement
				moved.Offsets = slices.Clone(plan.Offsets)
				moved.Offsets[i] = plan.Offsets[j]
				if check.Placement(net, moved, 1<<40) == nil {
					t.Fatalf("tensors %d and %d lie at one place", i, j)
				}
				seen++
			}
		}
	})
	if seen == 0 {
		t.Error("no two tensors were laid at one place")
	}
}
