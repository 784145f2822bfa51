package exact

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/testkit/reference"
	"github.com/tflarena/tflarena/lifetime"
)

// Parts of the problem that share no position are minimised by themselves, and the one
// that needs most decides.
func TestComponents(t *testing.T) {
	records := problem.Records{
		{First: 5, Last: 6, Size: 4},
		{First: 0, Last: 1, Size: 3},
		{First: 1, Last: 2, Size: 6},
		{First: 6, Last: 9, Size: 8, Align: 8},
		{First: 3, Last: 4, Size: 20},
	}
	list := componentsOf(records, []int64{8, 0, 3, 0, 1})
	want := [][]int{{1, 2}, {4}, {0, 3}}
	for k, c := range list {
		if !slices.Equal(c.rows, want[k]) {
			t.Errorf("component %d has rows %v, want %v", k, c.rows, want[k])
		}
	}
	if list[1].total != 21 || list[1].floor.Bytes != 20 || list[2].step != 4 {
		t.Errorf("%+v %+v", list[1], list[2])
	}
}

// A section is kept if its records are not all held in a neighbour.
func TestSections(t *testing.T) {
	records := problem.Records{
		{First: 0, Last: 9, Size: 1, Gaps: []lifetime.Gap{{First: 4, Last: 5}}},
		{First: 2, Last: 4, Size: 1},
		{First: 5, Last: 5, Size: 1},
		{First: 8, Last: 8, Size: 1},
	}
	spans, count := sectionsOf(records)
	if got, want := fmt.Sprint(spans, count), "[[{0 0} {2 2}] [{0 0}] [{1 1}] [{2 2}]] 3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The totals of packings of sizes that are all even, but not by four, are sums of them.
func TestReachable(t *testing.T) {
	records := problem.Records{{First: 0, Last: 2, Size: 10}, {First: 0, Last: 2, Size: 14}, {First: 2, Last: 2, Size: 26}}
	for _, c := range []struct{ from, to, want int64 }{
		{24, 50, 24}, {25, 50, 26}, {27, 50, 36}, {41, 50, 50}, {27, 30, 30}, {24, 24, 24},
	} {
		if got := reachableFrom(records, 2, c.from, c.to); got != c.want {
			t.Errorf("from %d to %d: %d, want %d", c.from, c.to, got, c.want)
		}
	}
	records[0].Align = 4
	if got := reachableFrom(records, 2, 25, 50); got != 25 {
		t.Errorf("with an alignment that matters: %d, want 25", got)
	}
}

// Dropped records fit however the others lie.
func TestPlaceable(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	left := 0
	for n := range 2000 {
		records := reference.Small(r)
		for i := range records {
			records[i].Pinned = false
		}
		capacity := problem.LowerBound(records).Bytes + r.Int64N(20)
		later := placeable(records, stepOf(records), capacity)
		left += len(later)
		offsets, total := make([]int64, len(records)), int64(0)
		for i := range records { // anywhere, even on top of each other
			if room := (capacity - records[i].Size) / stepOf(records); !slices.Contains(later, i) && room > 0 {
				offsets[i] = stepOf(records) * r.Int64N(room+1)
			}
		}
		placeLater(records, offsets, later)
		for _, i := range later {
			total = max(total, offsets[i]+records[i].Size)
			for j, s := range records {
				if j != i && s.Overlaps(records[i]) && offsets[i] < offsets[j]+s.Size && offsets[j] < offsets[i]+records[i].Size {
					t.Fatalf("problem %d: record %d on record %d\n%+v", n, i, j, records)
				}
			}
		}
		if total > capacity {
			t.Fatalf("problem %d: %d bytes, capacity %d\n%+v", n, total, capacity, records)
		}
	}
	if left < 100 {
		t.Errorf("only %d were left out", left)
	}
}

// Whatever the order of records, an alignment that another one makes matter does.
func TestStepOf(t *testing.T) {
	a, b := lifetime.Record{First: 2, Last: 4, Size: 6, Align: 3}, lifetime.Record{First: 2, Last: 5, Size: 12, Align: 8}
	c := lifetime.Record{First: 3, Last: 5, Size: 6, Align: 8}
	for _, records := range []problem.Records{{a, b, c}, {c, b, a}, {b, a, c}} {
		if step := stepOf(records); step != 1 {
			t.Errorf("step %d, want 1", step)
		}
	}
}
