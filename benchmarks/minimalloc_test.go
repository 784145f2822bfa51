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
				if plan := reach(t, records, goal); plan.Total > goal {
					t.Errorf("total %d, want at most %d", plan.Total, goal)
				}
				return
			}
			plan := solve(ctx, t, records, alloc.Options{Approach: alloc.Offsets, Strategy: alloc.Exact})
			if plan.Total != minimal[name] || !plan.Optimal {
				t.Errorf("total %d, proven: %v; want %d, proven", plan.Total, plan.Optimal, minimal[name])
			}
		})
	}
}

// TestIdealloc has auto's plans of idealloc's problems as small as their loads. The search
// time is long since others may use the machine; an idle one needs less than a second.
func TestIdealloc(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: seconds of search")
	}
	for _, name := range large {
		t.Run(name, func(t *testing.T) {
			records := idealloc(t, name)
			plan := solve(t.Context(), t, records, alloc.Options{Approach: alloc.Offsets, SearchTime: patience})
			if load := alloc.LowerBound(alloc.Offsets, records); plan.Total != load || !plan.Optimal {
				t.Errorf("total %d, proven: %v; the load is %d", plan.Total, plan.Optimal, load)
			}
		})
	}
}
