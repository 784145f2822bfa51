package stream_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/check"
	"github.com/tflarena/tflarena/internal/testkit/golden"
)

// TestRandomDelays runs plans with loads and computes of random lengths, from nothing to far more
// than planned. No byte is read before it is loaded, or overwritten while it is needed: two
// tensors that share a byte hold it at different times.
func TestRandomDelays(t *testing.T) {
	runs := 1_000
	switch {
	case *golden.Audit:
		runs = 10_000
	case testing.Short():
		runs = 100
	}
	for _, c := range []struct {
		model, ratio string
		budget       int64
	}{{"vgg19", "r1", 100_000_000}, {"mobilenetv2", "r2", 12_714_565}, {"resnet152", "r2", 42_769_153}, {"gpt2", "r3", 48_679_078}} {
		net := profile(t, c.model, c.ratio)
		for _, s := range stream.Strategies() {
			plan, err := stream.Solve(context.Background(), net, c.budget, stream.Options{Strategy: s, Quick: true})
			if err != nil {
				t.Fatal(err)
			}
			delayed := check.NewDelayed(net, plan.Placement, plan.Waits)
			random := rand.New(rand.NewPCG(1, 2))
			for range runs {
				if err := delayed.Run(random); err != nil {
					t.Fatalf("%s by %s: %v", c.model, s, err)
				}
			}
		}
	}
}

// TestWrongDelays wants the run with random delays to see what is wrong: a load that waits for one
// compute less, or a tensor that lies where another one is.
func TestWrongDelays(t *testing.T) {
	net := profile(t, "vgg19", "r1")
	plan, err := stream.Solve(context.Background(), net, 100_000_000, stream.Options{Quick: true})
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for i := range net.Layers {
		if plan.Waits[i] < 2 || net.Layers[i].Load == 0 {
			continue
		}
		waits := append([]int(nil), plan.Waits...)
		for j := range waits[:i+1] {
			waits[j] = min(waits[j], 1)
		}
		delayed, random := check.NewDelayed(net, plan.Placement, waits), rand.New(rand.NewPCG(1, 2))
		for range 100 {
			if delayed.Run(random) != nil {
				seen++
				break
			}
		}
	}
	if seen == 0 {
		t.Error("no load that begins too early was seen")
	}
}
