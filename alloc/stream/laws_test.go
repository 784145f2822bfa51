package stream_test

import (
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/internal/testkit/streaming"
)

// TestStrategies: every strategy returns a plan, or a reason for none, and the best one a plan that no
// other beats.
func TestStrategies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := streaming.Network(t, 14)
		budget := streaming.Budget(t, net)
		best, bestErr := stream.Solve(context.Background(), net, budget, stream.Options{SearchNodes: 500})
		for _, s := range stream.Strategies() {
			plan, err := stream.Solve(context.Background(), net, budget, stream.Options{Strategy: s, Quick: true})
			infeasible, none := (*stream.InfeasibleError)(nil), (*stream.NoPlanError)(nil)
			switch {
			case errors.As(err, &infeasible):
				if bestErr == nil {
					t.Fatalf("%s: %v, but there is a plan", s, err)
				}
			case errors.As(err, &none) && s == stream.FlexNN:
			case err != nil:
				t.Fatalf("%s: %v", s, err)
			case bestErr != nil:
				t.Fatalf("%s has a plan, but: %v", s, bestErr)
			case plan.Latency < best.Latency && s != stream.Best:
				t.Fatalf("%s takes %v, the best one %v", s, plan.Latency, best.Latency)
			}
		}
	})
}

// TestLeast holds the least budgets to those of the networks of the paper, in bytes.
func TestLeast(t *testing.T) {
	for _, c := range []struct {
		model string
		below float64 // MB, as published for the packing optimum
	}{{"vgg19", 38.92}, {"resnet152", 11.275}, {"mobilenetv2", 11.0155}, {"gpt2", 31.813}} {
		net := profile(t, c.model, "r1")
		least, err := stream.Least(context.Background(), net)
		if err != nil || !least.Optimal || float64(least.Bytes)/1e6 > c.below {
			t.Errorf("%s: %+v, %v, want at most %v MB", c.model, least, err, c.below)
			continue
		}
		if _, err := stream.Solve(context.Background(), net, least.Bytes, stream.Options{Quick: true}); err != nil {
			t.Errorf("%s: %v", c.model, err)
		}
		var infeasible *stream.InfeasibleError
		if _, err := stream.Solve(context.Background(), net, least.Bytes-1, stream.Options{Quick: true}); !errors.As(err, &infeasible) || !infeasible.Proven {
			t.Errorf("%s: with a byte less: %v", c.model, err)
		}
	}
}

// TestInterrupted wants the best plan until then when the context ends during the search.
func TestInterrupted(t *testing.T) {
	net := profile(t, "resnet152", "r1")
	ctx, cancel := context.WithCancel(context.Background())
	opt := stream.Options{SearchNodes: 1 << 40, Progress: func(stream.Progress) { cancel() }}
	plan, err := stream.Solve(ctx, net, 100_000_000, opt)
	if err != nil || !plan.Interrupted {
		t.Fatalf("interrupted %v, %v", plan != nil && plan.Interrupted, err)
	}
	if _, err := stream.Solve(ctx, net, 100_000_000, opt); !errors.Is(err, context.Canceled) {
		t.Errorf("ended before it began: %v", err)
	}
}
