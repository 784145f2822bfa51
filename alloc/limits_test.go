package alloc

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/expiry"
	"github.com/tflarena/tflarena/lifetime"
)

// together returns records that all overlap each other, but for the first and the last of them.
func together(n int) (records Records) {
	for i := range n {
		records = append(records, lifetime.Record{First: i % 3, Last: i%3 + 2, Size: int64(1 + i*7919%100_003)})
	}
	return records
}

// staircase returns records each of which overlaps half of the others.
func staircase(n int) (records Records) {
	for i := range n {
		records = append(records, lifetime.Record{First: i, Last: i + n/2, Size: int64(1 + i*7919%100_003)})
	}
	return records
}

// layered returns records as a network has them.
func layered(n int) (records Records) {
	for i := range n {
		records = append(records, lifetime.Record{First: i, Last: i + 1 + i*31%7, Size: int64(1 + i*7919%100_003)})
	}
	return records
}

// unasked are strategies that take little longer than to sort the records.
var unasked = map[string]bool{"naive": true, "equality": true, "greedy-in-order": true}

// TestEveryStrategyStops: a strategy does little more work after ctx ends, and reports whether its plan
// is only the best so far; and it polls ctx regularly.
func TestEveryStrategyStops(t *testing.T) {
	const n = 512
	for shape, records := range map[string]Records{"together": together(n), "staircase": staircase(n), "layered": layered(n)} {
		for _, approach := range []Approach{Offsets, Shared} {
			for _, s := range Strategies(approach) {
				t.Run(fmt.Sprintf("%s/%s/%s", shape, approach, s.Name), func(t *testing.T) {
					if asked, done := stops(t, records, approach, s.Name); !done && asked < n/256 && !unasked[s.Name] {
						t.Errorf("asked %d times for %d records", asked, n)
					}
				})
			}
		}
	}
}

// stops ends a strategy after ever more looks at its context, and returns how many there were
// at most, and whether it had a plan that is proven.
func stops(t *testing.T, records Records, approach Approach, strategy string) (most int, optimal bool) {
	t.Helper()
	const many, late = 3000, 40
	for left := 0; left < many; left += 1 + left {
		ctx := expiry.New(left)
		plan, err := Solve(ctx, records, Options{Approach: approach, Strategy: strategy, Workers: 1})
		most = max(most, ctx.Asked())
		if ctx.After() > late {
			t.Fatalf("ended after %d looks, and looked %d times more", left, ctx.After())
		}
		switch ended := ctx.After() > 0; {
		case err != nil && !(ended && errors.Is(err, context.DeadlineExceeded)):
			t.Fatalf("after %d looks: %v", left, err)
		case err == nil && plan.Interrupted && !ended:
			t.Fatalf("after %d looks: interrupted by nothing", left)
		case err == nil && ended && !plan.Interrupted && !plan.Optimal:
			t.Fatalf("after %d looks: %d bytes, and no word of an end", left, plan.Total)
		}
		if optimal = err == nil && plan.Optimal; most < left {
			break
		}
	}
	return most, optimal
}
