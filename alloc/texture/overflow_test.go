package texture

import (
	"context"
	"testing"
)

// TestHugeTogether: two textures may each be as large as can be, and an object that covers both
// larger than can be counted. That is no object that a plan has.
func TestHugeTogether(t *testing.T) {
	const long = 1 << 48
	records := []Record{{ID: "wide", Shape: Shape{long, 1}}, {ID: "high", First: 1, Last: 1, Shape: Shape{1, long}}}
	for _, strategy := range Strategies() {
		plan, err := Solve(context.Background(), records, strategy)
		if err != nil {
			t.Fatalf("%s: %v", strategy, err)
		}
		if plan.Total != 2*long || len(plan.Shapes) != 2 {
			t.Errorf("%s: %d elements in shapes %v, bound %d", strategy, plan.Total, plan.Shapes, plan.LowerBound)
		}
	}
}
