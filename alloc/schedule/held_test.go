package schedule

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/lifetime"
)

// TestHeld: what lies beside a part until the whole is made is free, and the bound that
// counts it as free is reached by a plan that no plan of the merged records is.
func TestHeld(t *testing.T) {
	records := []lifetime.Record{{First: 0, Last: 2, Size: 32}, {First: 2, Last: 3, Size: 64}, {First: 0, Last: 1, Size: 32}}
	m := Merge(records, []lifetime.Takeover{{From: 1, To: 0}}, nil)
	if !m.Loose() || len(m.Records) != 2 {
		t.Fatalf("got %v", m.Records)
	}
	if merged, held := lifetime.MaxBreadth(m.Records), lifetime.MaxBreadth(m.Held(records)); merged != 96 || held != 64 {
		t.Errorf("breadth %d merged and %d held, want 96 and 64", merged, held)
	}
}

// TestHeldIsWithin: what is held is never more than what is merged, and the same where no
// record lies within a larger one.
func TestHeldIsWithin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records, takeovers := drawn(t)
		m := Merge(records, takeovers, nil)
		merged, held := lifetime.MaxBreadth(m.Records), lifetime.MaxBreadth(m.Held(records))
		if held > merged || !m.Loose() && held != merged {
			t.Fatalf("breadth %d merged, %d held", merged, held)
		}
		if whole := Merge(records, Whole(records, takeovers), nil); whole.Loose() {
			t.Fatal("records of one size leave nothing free")
		}
	})
}
