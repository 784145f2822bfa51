package stream

import (
	"cmp"
	"context"
	"testing"
	"time"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/stream/internal/residency"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/internal/testkit/streaming"
	"github.com/tflarena/tflarena/lifetime"
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
			placement, err := (&task{net: net, budget: budget}).place(context.Background(), p.Resident, p.First, fit, 1_000_000)
			if err != nil {
				t.Fatal(err)
			}
			if placement != nil {
				least = read
			}
		})
		if plan.ReadBound > least || plan.ReadBound > plan.Read {
			t.Fatalf("%d B read, bound %d, least %d", plan.Read, plan.ReadBound, least)
		}
		if peak := PeakBound(net, plan); peak > plan.Peak || peak > 0 && fastest(t, net, peak-1) <= plan.Latency {
			t.Fatalf("peak %d, bound %d", plan.Peak, peak)
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

// TestAmpleMemory: with memory for everything, a run reads nothing, and takes no more memory than all weights and the other
// tensors, whose plan may need more than the largest step.
func TestAmpleMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := streaming.Network(t, 14)
		var others []lifetime.Record
		for _, x := range net.Tensors {
			if x.Kind != network.Weight {
				others = append(others, lifetime.Record{First: x.First, Last: x.Last, Size: x.Size, Align: network.Alignment})
			}
		}
		packed, err := alloc.Solve(context.Background(), others, alloc.Options{Approach: alloc.Offsets, Strategy: alloc.Exact})
		if err != nil {
			t.Fatal(err)
		}
		ample := Whole(net) - slices.Max(net.Live()) + integer.RoundUp(packed.Total, network.Alignment)
		for _, budget := range []int64{ample, ample + 1 + rapid.Int64Range(0, 1<<30).Draw(t, "more")} {
			plan, err := Solve(context.Background(), net, budget, Options{SearchNodes: 500})
			if err != nil {
				t.Fatal(err)
			}
			if plan.Read != 0 || plan.Peak > ample {
				t.Fatalf("in %d B: %d B read, peak %d, ample %d", budget, plan.Read, plan.Peak, ample)
			}
		}
	})
}

// TestThrift: what is made of the plan of any strategy is no slower, reads no more if it is as fast, and takes no more memory
// if it reads as much.
func TestThrift(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := streaming.Network(t, 12)
		budget := streaming.Budget(t, net)
		for _, s := range strategies() {
			w := &task{net: net, problem: residency.NewProblem(net), budget: budget, opt: Options{Quick: true}}
			f, err := s.solve(context.Background(), w)
			if err != nil {
				continue
			}
			g, err := w.thrifty(context.Background(), f)
			if err != nil {
				t.Fatal(err)
			}
			before, after := w.plan(f), w.plan(g)
			if cmp.Or(cmp.Compare(after.Latency, before.Latency), cmp.Compare(after.Read, before.Read), cmp.Compare(after.Peak, before.Peak)) > 0 {
				t.Fatalf("%s: %v, %d B read, peak %d, after it %v, %d B read, peak %d", s.name, before.Latency, before.Read, before.Peak, after.Latency, after.Read, after.Peak)
			}
		}
	})
}

// TestPartsOfLayers: the bound of the latency holds where parts of a layer are resident whose tensors have less padding than
// the rest.
func TestPartsOfLayers(t *testing.T) {
	net := &network.Network{Layers: []network.Layer{{}, {Load: 193 * time.Millisecond}, {Load: time.Millisecond}}}
	for _, size := range []int64{64, 64, 64, 1} {
		net.Tensors = append(net.Tensors, network.Tensor{Kind: network.Weight, First: 1, Last: 1, Size: size})
	}
	net.Tensors = append(net.Tensors, network.Tensor{Kind: network.Weight, First: 2, Last: 2, Size: 6400})
	for _, strategy := range []string{FlexNN, Best} {
		plan, err := Solve(context.Background(), net, 6592, Options{Strategy: strategy})
		if err != nil || plan.Latency != 2*time.Millisecond {
			t.Errorf("%s: %v, %v", strategy, plan, err)
		}
	}
}
