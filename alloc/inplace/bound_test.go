package inplace

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/testkit/property"
	"github.com/tflarena/tflarena/lifetime"
)

// TestBound: whichever takeovers happen, no plan is below the bound, which is the breadth without
// takeovers.
func TestBound(t *testing.T) {
	below := 0
	property.Until(t, func() bool { return below > 0 }, func(t *rapid.T) {
		records, takeovers := drawn(t)
		bound := Bound(records, takeovers, nil)
		breadth := lifetime.MaxBreadth(records)
		if bound > breadth || len(takeovers) == 0 && bound < breadth {
			t.Fatalf("bound %d, breadth %d, %d takeovers", bound, breadth, len(takeovers))
		}
		if bound < breadth {
			below++
		}
		for range 4 {
			var some []lifetime.Takeover
			for _, k := range takeovers {
				if rapid.Bool().Draw(t, "happens") {
					some = append(some, k)
				}
			}
			m := Merge(records, some, nil)
			plan, err := alloc.Solve(t.Context(), m.Records, alloc.Options{Approach: alloc.Offsets, Strategy: alloc.Exact, SearchNodes: 1000})
			if err != nil {
				t.Fatal(err)
			}
			if plan.Total < bound {
				t.Fatalf("%d bytes, bound %d", plan.Total, bound)
			}
		}
	})
}

// TestBoundOfOperators: an addition needs both of its inputs, whichever of them its output
// takes over, and what is joined is as large as its parts.
func TestBoundOfOperators(t *testing.T) {
	add := []lifetime.Record{{Last: 1, Size: 16}, {Last: 1, Size: 16}, {First: 1, Last: 2, Size: 16}}
	if got := Bound(add, []lifetime.Takeover{{From: 0, To: 2}, {From: 1, To: 2}}, nil); got != 32 {
		t.Errorf("ADD: %d, want 32", got)
	}
	join := []lifetime.Record{{Last: 1, Size: 16}, {Last: 1, Size: 32}, {First: 1, Last: 2, Size: 48}, {Last: 2, Size: 8}}
	if got := Bound(join, []lifetime.Takeover{{From: 2, To: 0}, {From: 2, To: 1, Offset: 16}}, nil); got != 56 {
		t.Errorf("CONCATENATION: %d, want 56", got)
	}
}

// TestBoundEnds: thousands that may share with each other take no longer than the work
// that is allowed.
func TestBoundEnds(t *testing.T) {
	const n = 3000
	var records []lifetime.Record
	var takeovers []lifetime.Takeover
	for i := range n {
		records = append(records, lifetime.Record{First: i % 7, Last: n, Size: int64(1 + i%5)})
		for j := 1; j < 20 && j <= i; j++ {
			takeovers = append(takeovers, lifetime.Takeover{From: i - j, To: i})
		}
	}
	if got := Bound(records, takeovers, nil); got <= 0 || got > lifetime.MaxBreadth(records) {
		t.Errorf("bound %d", got)
	}
}
