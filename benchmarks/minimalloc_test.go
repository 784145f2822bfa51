package benchmarks

import (
	"context"
	"testing"
	"time"

	"github.com/tflarena/tflarena/alloc"
)

// patience ends a search that has gone wrong; none of those below comes near it.
const patience = 5 * time.Minute

// TestMiniMalloc fits MiniMalloc's problems into the arena that they are posed with, and
// finds the known minima and what is to be had of the two open ones.
func TestMiniMalloc(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: minutes of search")
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			records := minimalloc(t, name)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			v, err := alloc.Fit(ctx, records, capacity, alloc.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if v.Answer != alloc.Fits || v.Plan.Total > capacity {
				t.Errorf("%s into %d bytes: %d, %s", v.Answer, int64(capacity), v.Plan.Total, v.Proof)
			}
			if goal, ok := open[name]; ok {
				if plan := reach(t, records, goal, time.Minute); plan.Total > goal {
					t.Errorf("total %d, want at most %d", plan.Total, goal)
				}
				return
			}
			plan := solve(ctx, t, records, alloc.Options{Approach: alloc.Offsets, Strategy: "exact"})
			if plan.Total != minimal[name] || !plan.Optimal {
				t.Errorf("total %d, proven: %v; want %d, proven", plan.Total, plan.Optimal, minimal[name])
			}
		})
	}
}

// TestIdealloc has what auto makes of idealloc's problems, at the best total over the
// load that is published or less.
func TestIdealloc(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: seconds of search")
	}
	for _, p := range large {
		t.Run(p.name, func(t *testing.T) {
			records := idealloc(t, p.name)
			plan := solve(t.Context(), t, records, alloc.Options{Approach: alloc.Offsets})
			load := alloc.LowerBound(alloc.Offsets, records)
			if ratio := float64(plan.Total) / float64(load); ratio > p.most {
				t.Errorf("total %d is %.4f of the load, want at most %.4f", plan.Total, ratio, p.most)
			}
			if p.most == 1 && !plan.Optimal {
				t.Error("not proven")
			}
		})
	}
}
