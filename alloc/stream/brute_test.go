package stream

import (
	"context"
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/testkit/streaming"
)

// TestBruteForce compares with all plans of small networks: budgets from the least one on have a plan,
// no plan is faster than the bound, and the best plan is the fastest one in at least 80 % of cases.
func TestBruteForce(t *testing.T) {
	found, exact := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		net := streaming.Network(t, 5)
		budget := streaming.Budget(t, net)
		least, err := Least(context.Background(), net)
		if err != nil || !least.Optimal {
			t.Fatalf("least budget: %+v, %v", least, err)
		}
		plan, err := Solve(context.Background(), net, budget, Options{})
		if infeasible := (*InfeasibleError)(nil); errors.As(err, &infeasible) && budget < least.Bytes && infeasible.Least == least.Bytes {
			return
		}
		if err != nil || budget < least.Bytes {
			t.Fatalf("budget %d, least %d: %v", budget, least.Bytes, err)
		}
		fastest := fastest(t, net, budget)
		if bound := plan.LowerBound; bound > fastest {
			t.Fatalf("the bound %v is above %v", bound, fastest)
		}
		if plan.Latency < fastest && plan.Winner != FlexNN || plan.LowerBound > plan.Latency {
			t.Fatalf("latency %v, bound %v, by brute force %v", plan.Latency, plan.LowerBound, fastest)
		}
		found++
		if plan.Latency <= fastest { // less if a part of a layer is resident
			exact++
		}
	})
	if exact*10 < found*8 {
		t.Errorf("%d of %d plans are the fastest there are", exact, found)
	}
}

// fastest returns the least latency of all plans with offsets.
func fastest(t *rapid.T, net *network.Network, budget int64) time.Duration {
	best := time.Duration(1 << 62)
	streaming.Each(net, func(p streaming.Plan) {
		if p.Latency >= best || !streaming.Fits(net, p, (budget+63)&^63) {
			return
		}
		placement, err := (&task{net: net, budget: budget}).place(context.Background(), p.Resident, p.First, fit, 1_000_000)
		if err != nil {
			t.Fatal(err)
		}
		if placement != nil {
			best = p.Latency
		}
	})
	return best
}
