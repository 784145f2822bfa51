package inplace

import (
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/lifetime"
)

// TestPartsLeaveGaps: bytes next to a part are free for others until the whole is made.
func TestPartsLeaveGaps(t *testing.T) {
	records := []lifetime.Record{{First: 0, Last: 2, Size: 32}, {First: 2, Last: 3, Size: 64}, {First: 0, Last: 1, Size: 32}}
	m := Merge(records, []lifetime.Takeover{{From: 1, To: 0, Offset: 32}}, nil)
	want := []lifetime.Gap{{First: 0, Last: 1, Lo: 32, Hi: 64}}
	if m.Loose() || len(m.Records) != 2 || !slices.Equal(m.Records[0].Gaps, want) {
		t.Fatalf("got %v", m.Records)
	}
	if breadth := lifetime.MaxBreadth(m.Records); breadth != 64 {
		t.Errorf("breadth %d, want 64", breadth)
	}
}

// TestHeld: bytes between two parts are free too, which no gap can express, but the bound includes.
func TestHeld(t *testing.T) {
	records := []lifetime.Record{{First: 0, Last: 2, Size: 16}, {First: 0, Last: 2, Size: 16}, {First: 2, Last: 3, Size: 64}, {First: 0, Last: 1, Size: 32}}
	m := Merge(records, []lifetime.Takeover{{From: 2, To: 0}, {From: 2, To: 1, Offset: 48}}, nil)
	if !m.Loose() || len(m.Records) != 2 {
		t.Fatalf("got %v", m.Records)
	}
	if merged, held := lifetime.MaxBreadth(m.Records), lifetime.MaxBreadth(m.Held(records)); merged != 96 || held != 64 {
		t.Errorf("breadth %d merged and %d held, want 96 and 64", merged, held)
	}
}

// TestHeldIsWithin: held bytes are never more than the merged ones, and the same if no record lies
// within a larger one.
func TestHeldIsWithin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records, takeovers := drawn(t)
		m := Merge(records, takeovers, nil)
		merged, held := lifetime.MaxBreadth(m.Records), lifetime.MaxBreadth(m.Held(records))
		if held > merged || !m.Loose() && held != merged {
			t.Fatalf("breadth %d merged, %d held", merged, held)
		}
	})
}
