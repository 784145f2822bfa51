package lifetime_test

import (
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/testkit/property"
	"github.com/tflarena/tflarena/lifetime"
)

// TestRemaining: at each position after the first, a record holds every byte that is read there
// or later, and only their hull; before the first read it holds all.
func TestRemaining(t *testing.T) {
	gaps := 0
	property.Until(t, func() bool { return gaps > 0 }, func(t *rapid.T) {
		r := lifetime.Record{First: rapid.IntRange(-1, 3).Draw(t, "first"), Size: 8}
		var reads []lifetime.Read
		for range rapid.IntRange(0, 5).Draw(t, "reads") {
			lo := rapid.Int64Range(0, 7).Draw(t, "lo")
			reads = append(reads, lifetime.Read{
				Position: rapid.IntRange(r.First, r.First+6).Draw(t, "position"), Lo: lo, Hi: rapid.Int64Range(lo+1, 8).Draw(t, "hi"),
			})
			r.Last = max(r.Last, reads[len(reads)-1].Position)
		}
		r.Last = max(r.Last, r.First+rapid.IntRange(0, 7).Draw(t, "length"))
		got := r.Remaining(reads)
		if err := lifetime.CheckRecords([]lifetime.Record{got}); err != nil {
			t.Fatal(err)
		}
		gaps += len(got.Gaps)
		for p := range got.Pieces {
			for at := p.First; at <= p.Last; at++ {
				lo, hi := needed(reads, at)
				whole := p.Lo == 0 && p.Hi == r.Size
				if lo < hi && (p.Lo > lo || p.Hi < hi) || !whole && (at == r.First || p.Lo != lo || p.Hi != hi) {
					t.Fatalf("%v holds [%d, %d) at %d, where [%d, %d) is needed: %v", reads, p.Lo, p.Hi, at, lo, hi, got)
				}
			}
		}
	})
}

// needed returns the hull of the bytes read at a position or later.
func needed(reads []lifetime.Read, at int) (lo, hi int64) {
	later := slices.DeleteFunc(slices.Clone(reads), func(r lifetime.Read) bool { return r.Position < at })
	if len(later) == 0 {
		return 0, 0
	}
	lo = later[0].Lo
	for _, r := range later {
		lo, hi = min(lo, r.Lo), max(hi, r.Hi)
	}
	return lo, hi
}

func TestRemainingLeavesAlone(t *testing.T) {
	r := lifetime.Record{First: 0, Last: 4, Size: 8}
	for name, reads := range map[string][]lifetime.Read{
		"nothing reads it":      nil,
		"something else keeps":  {{Position: 2, Lo: 0, Hi: 4}, {Position: 3, Lo: 4, Hi: 8}},
		"read where it is made": {{Position: 0, Lo: 0, Hi: 4}, {Position: 4, Lo: 4, Hi: 8}},
		"read beyond its end":   {{Position: 2, Lo: 0, Hi: 4}, {Position: 4, Lo: 4, Hi: 9}},
	} {
		if got := r.Remaining(reads); len(got.Gaps) > 0 {
			t.Errorf("%s: %v", name, got.Gaps)
		}
	}
}
