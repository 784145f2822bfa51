package alloc

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// TestWorkersChangeNothing: the plan, what is proven and the nodes counted are the same
// with any number of workers.
func TestWorkersChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Small enough for a proof, as a limit of time would strike differently each time.
		var records Records
		for range rapid.IntRange(1, 12).Draw(t, "records") {
			first := rapid.IntRange(0, 9).Draw(t, "first")
			last := first + rapid.IntRange(0, 5).Draw(t, "length")
			records = append(records, rec(rapid.Int64Range(1, 20).Draw(t, "size"), first, last))
		}
		seed := rapid.Uint64Range(0, 2).Draw(t, "seed")
		alike(t, records, Options{Approach: Offsets, Strategy: Exact, Seed: seed})
	})
	records := readProblem(t, "dsa-benchmarks", "minimalloc", "A.1048576.csv")
	alike(t, records, Options{Approach: Offsets, Strategy: Exact})
}

func alike(t interface{ Fatal(...any) }, records Records, o Options) {
	var plans []*Plan
	for _, o.Workers = range []int{1, 2, 5} {
		plan, err := Solve(context.Background(), records, o)
		if err != nil {
			t.Fatal(err)
		}
		plans = append(plans, plan)
	}
	for _, plan := range plans[1:] {
		if d := cmp.Diff(plans[0], plan, cmpopts.IgnoreFields(Plan{}, "Elapsed")); d != "" {
			t.Fatal(d)
		}
	}
}

// TestNoTimeAtAll: when there is no time for any strategy, there still is a plan.
func TestNoTimeAtAll(t *testing.T) {
	for _, approach := range []Approach{Offsets, Shared} {
		p := newTask(Records{rec(4, 0, 1), rec(6, 1, 2)}, Options{Approach: approach})
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		plan, err := p.portfolio(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if !plan.Interrupted || plan.Total != 10 {
			t.Errorf("%s: %d bytes, interrupted %t", approach, plan.Total, plan.Interrupted)
		}
	}
}
