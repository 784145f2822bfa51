package stream_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/internal/place"
	"github.com/tflarena/tflarena/alloc/stream/internal/sample"
)

// TestBruteForce compares with all plans of small networks: there is a plan where the least budget says
// so, no plan is faster than the bound, and the best plan is the fastest one, but for a few
// where only other loads have addresses.
func TestBruteForce(t *testing.T) {
	found, exact := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		net := sample.Network(t, 5)
		budget := sample.Budget(t, net)
		least, err := stream.Least(context.Background(), net, stream.LeastOptions{})
		if err != nil || !least.Optimal {
			t.Fatalf("least budget: %+v, %v", least, err)
		}
		plan, err := stream.Solve(context.Background(), net, budget, stream.Options{})
		if infeasible := (*stream.InfeasibleError)(nil); errors.As(err, &infeasible) && budget < least.Bytes && infeasible.Least == least.Bytes {
			return
		}
		if err != nil || budget < least.Bytes {
			t.Fatalf("budget %d, least %d: %v", budget, least.Bytes, err)
		}
		fastest := fastest(t, net, budget)
		if bound := plan.LowerBound; bound > fastest {
			t.Fatalf("the bound %v is above %v", bound, fastest)
		}
		if plan.Latency < fastest && plan.Winner != stream.FlexNN || plan.LowerBound > plan.Latency {
			t.Fatalf("latency %v, bound %v, by brute force %v", plan.Latency, plan.LowerBound, fastest)
		}
		found++
		if plan.Latency <= fastest { // less where part of a layer is resident
			exact++
		}
	})
	if exact*10 < found*8 {
		t.Errorf("%d of %d plans are the fastest there are", exact, found)
	}
}

// fastest returns the least latency of all plans that have addresses.
func fastest(t *rapid.T, net *stream.Network, budget int64) time.Duration {
	best := time.Duration(1 << 62)
	sample.Each(net, func(p sample.Plan) {
		if p.Latency >= best || !sample.Fits(net, p, (budget+63)&^63) {
			return
		}
		_, ok, err := place.Place(context.Background(), net, p.Resident, p.First, budget, 1_000_000)
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			best = p.Latency
		}
	})
	return best
}

// TestStrategies wants from every strategy a plan, or a reason why there is none, and from the best one
// a plan that no other beats.
func TestStrategies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := sample.Network(t, 14)
		budget := sample.Budget(t, net)
		best, bestErr := stream.Solve(context.Background(), net, budget, stream.Options{SearchNodes: 500})
		for _, s := range stream.Strategies() {
			plan, err := stream.Solve(context.Background(), net, budget, stream.Options{Strategy: s.Name, Quick: true})
			infeasible, none := (*stream.InfeasibleError)(nil), (*stream.NoPlanError)(nil)
			switch {
			case errors.As(err, &infeasible):
				if bestErr == nil {
					t.Fatalf("%s: %v, but there is a plan", s.Name, err)
				}
			case errors.As(err, &none) && s.Name == stream.FlexNN:
			case err != nil:
				t.Fatalf("%s: %v", s.Name, err)
			case bestErr != nil:
				t.Fatalf("%s has a plan, but: %v", s.Name, bestErr)
			case plan.Latency < best.Latency && s.Name != stream.Best:
				t.Fatalf("%s takes %v, the best one %v", s.Name, plan.Latency, best.Latency)
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
		least, err := stream.Least(context.Background(), net, stream.LeastOptions{})
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
