package alloc

import (
	"context"
	"testing"

	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/lifetime"
)

// stairs returns a tensor of n rows that is read row by row, another that is made row by
// row from it, and for each row a passing tensor of some size. 200 of them are more than
// the search that knows windows takes.
func stairs(n int, row, passing int64) Records {
	size := int64(n) * row
	in := lifetime.Record{First: 0, Last: n, Size: size}
	out := lifetime.Record{First: 1, Last: n + 1, Size: size}
	for i := 1; i <= n; i++ {
		in.Gaps = append(in.Gaps, lifetime.Gap{First: i, Last: i, Lo: int64(i-1) * row, Hi: size})
		out.Gaps = append(out.Gaps, lifetime.Gap{First: i, Last: i, Lo: 0, Hi: int64(i) * row})
	}
	in.Gaps = in.Gaps[1:] // read for the first time at 1, whole
	out.Gaps = out.Gaps[:n-1]
	records := Records{in, out}
	for i := 1; i <= n; i++ {
		records = append(records, lifetime.Record{First: i, Last: i, Size: passing})
	}
	return records
}

// TestAnchored: data written from the bottom of the arena while other data is read from its top takes
// little more than one of the two.
func TestAnchored(t *testing.T) {
	records := stairs(200, 16, 48)
	plan, err := Solve(context.Background(), records, Options{Approach: Offsets, Strategy: Exact, SearchNodes: 200_000})
	if err != nil {
		t.Fatal(err)
	}
	if want := lifetime.MaxBreadth(records); plan.Total != want || !plan.Optimal {
		t.Errorf("total %d, optimal %v, want %d", plan.Total, plan.Optimal, want)
	}
	if err := check.Offsets(records, plan.Offsets, plan.Total); err != nil {
		t.Error(err)
	}
	for capacity, want := range map[int64]Answer{plan.Total: Fits, plan.Total - 1: Misfit} {
		verdict, err := Fit(context.Background(), records, capacity, Options{SearchNodes: 200_000})
		if err != nil || verdict.Answer != want {
			t.Errorf("capacity %d: %v, %v", capacity, verdict.Answer, err)
		}
	}
}

// TestSearchNodes: the result of a number of nodes does not depend on the workers.
func TestSearchNodes(t *testing.T) {
	var totals []int64
	for _, workers := range []int{1, 2, 8} {
		plan, err := Solve(context.Background(), stairs(160, 48, 112), Options{Approach: Offsets, Strategy: Exact, SearchNodes: 5_000, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		totals = append(totals, plan.Total)
	}
	if totals[0] != totals[1] || totals[0] != totals[2] {
		t.Errorf("totals %v", totals)
	}
}
