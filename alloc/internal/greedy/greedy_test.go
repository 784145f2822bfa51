package greedy

import (
	"context"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/alloc/internal/sets"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/internal/testkit/reference"
)

// TestPeakOccupancy compares with an occupancy, which has its own test.
func TestPeakOccupancy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := reference.DrawShape(t, false).Draw(t, 1)
		time := problem.NewTimeline(records)
		peak := newPeakOccupancy(time, rapid.IntRange(0, 8).Draw(t, "enough"))
		plain := sets.NewOccupancy(time.Count)
		for i, r := range records {
			got, want := peak.taken(time.First[i], time.Last[i]), plain.Taken(time.First[i], time.Last[i])
			if !slices.Equal(got, want) {
				t.Fatalf("record %d: got %v, want %v", i, got, want)
			}
			lo := rapid.Int64Range(0, 60).Draw(t, "lo")
			peak.add(time.First[i], time.Last[i], sets.Span{Lo: lo, Hi: lo + r.Size})
			plain.Add(time.First[i], time.Last[i], sets.Span{Lo: lo, Hi: lo + r.Size})
		}
	})
}

// TestClimberStartsAsByUrgency: both place at the lowest free offset.
func TestClimberStartsAsByUrgency(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := reference.DrawShape(t, true).Draw(t, 1)
		c := newHillClimber(records)
		total := c.placeAll(math.MaxInt64)
		offsets, err := ByUrgency(context.Background(), records)
		if err != nil {
			t.Fatal(err)
		}
		want := problem.TotalOf(records, offsets)
		if diff := cmp.Diff(offsets, c.offsets); diff != "" || total != want {
			t.Fatalf("total %d and %d, by-urgency - climber +:\n%s", want, total, diff)
		}
		checkHold(t, c)
	})
}

// checkHold checks that each record with something below it starts at the first
// aligned byte above that, and the others at 0 or where they are pinned.
func checkHold(t *rapid.T, c *hillClimber) {
	for i, r := range c.records {
		want := int64(0)
		if j := c.below[i]; j >= 0 {
			want = integer.RoundUp(c.offsets[j]+c.records[j].Size, r.Alignment())
		}
		if !r.Pinned && c.offsets[i] != want {
			t.Fatalf("record %d at %d rests on %d", i, c.offsets[i], c.below[i])
		}
	}
}
