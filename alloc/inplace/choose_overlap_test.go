package inplace

import (
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/internal/testkit/property"
	"github.com/tflarena/tflarena/lifetime"
)

// drawnFreedoms returns few records, and freedoms that permit increasingly more: nothing, takeovers,
// and overlaps as well.
func drawnFreedoms(t *rapid.T) []Freedom {
	var plain Freedom
	for range rapid.IntRange(2, 4).Draw(t, "records") {
		first := rapid.IntRange(0, 2).Draw(t, "first")
		plain.Records = append(plain.Records, lifetime.Record{
			First: first, Last: first + rapid.IntRange(1, 2).Draw(t, "length"), Size: rapid.Int64Range(1, 5).Draw(t, "size"),
			Align: rapid.SampledFrom([]int64{1, 1, 2}).Draw(t, "align"),
		})
	}
	some, all := plain, plain
	for i, r := range plain.Records {
		for j, s := range plain.Records {
			if r.First >= s.First || r.Last != s.First {
				continue
			}
			if r.Size == s.Size && rapid.Bool().Draw(t, "takeover") {
				some.Takeovers = append(some.Takeovers, lifetime.Takeover{From: i, To: j})
			}
			if rapid.Bool().Draw(t, "overlap") {
				distance := rapid.Int64Range(-r.Size, s.Size-1).Draw(t, "distance")
				all.Overlaps = append(all.Overlaps, lifetime.Overlap{From: i, To: j, At: s.First, Distance: distance})
			}
		}
	}
	all.Takeovers = some.Takeovers
	return []Freedom{plain, some, all}
}

// best returns the total of the smallest plan of a freedom below a number of bytes, or that
// number: it tries all offsets, and the checker judges them.
func best(t *rapid.T, f Freedom, below int64) int64 {
	offsets := make([]int64, len(f.Records))
	var place func(i int, end int64)
	place = func(i int, end int64) {
		if i == len(f.Records) {
			below = min(below, end)
			return
		}
		r := f.Records[i]
		for at := int64(0); max(at+r.Size, end) < below; at += r.Alignment() {
			offsets[i] = at
			if check.Aliased(f.Records[:i+1], offsets[:i+1], max(at+r.Size, end), f.Takeovers, f.Overlaps) == nil {
				place(i+1, max(at+r.Size, end))
			}
		}
	}
	place(0, 0)
	return below
}

// planned returns the plan that comes out for the last of some freedoms.
func planned(t *rapid.T, freedoms []Freedom) *alloc.Plan {
	c, err := Choose(t.Context(), freedoms, Look(alloc.Auto))
	if err != nil {
		t.Fatal(err)
	}
	merged, err := alloc.Solve(t.Context(), c.Merged.Records, c.Permit(alloc.Options{Approach: alloc.Offsets, Strategy: alloc.Exact}))
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.Plan(merged)
	if err != nil {
		t.Fatal(err)
	}
	most := freedoms[len(freedoms)-1]
	if err := check.Aliased(most.Records, p.Offsets, p.Total, most.Takeovers, most.Overlaps); err != nil {
		t.Fatal(err)
	}
	for _, o := range c.Overlapping(p.Offsets) {
		if !slices.Contains(most.Overlaps, o) {
			t.Fatalf("%+v is not permitted", o)
		}
	}
	return p
}

// TestPlansWithOverlaps: every plan is right by the checker; no bound is above the best of all
// offsets, and no plan that is said to be the best is above it; and more freedom never ends worse
// than less.
func TestPlansWithOverlaps(t *testing.T) {
	smaller, both := 0, 0
	property.Until(t, func() bool { return smaller > 10 && both > 3 }, func(t *rapid.T) {
		freedoms := drawnFreedoms(t)
		total := int64(1 << 20)
		for n := range freedoms {
			p := planned(t, freedoms[:n+1])
			least := best(t, freedoms[n], p.Total+1)
			if p.Total < least || p.LowerBound > least || p.Optimal && p.Total > least {
				t.Fatalf("%+v of %+v, the best has %d bytes", p, freedoms[n], least)
			}
			if p.Total > total {
				t.Fatalf("%d bytes, with less freedom %d: %+v", p.Total, total, freedoms[n])
			}
			if n == 2 && p.Total < total {
				if smaller++; len(freedoms[n].Takeovers) > 0 {
					both++
				}
			}
			total = p.Total
		}
	})
}

// TestOverlapsAndTakeovers: where an output may take over an input, or trail it, the plan may do
// either, and is proven to be the best of all ways.
func TestOverlapsAndTakeovers(t *testing.T) {
	plain, sharing := row(16, 16, 24, 24)
	for i, distance := range []int64{4, 12, 4} {
		sharing.Overlaps = append(sharing.Overlaps, lifetime.Overlap{From: i, To: i + 1, At: i + 1, Distance: distance})
	}
	c := choose(t, plain, sharing)
	p, err := c.Plan(c.trial)
	if err != nil || p.Total != 28 || !p.Optimal {
		t.Errorf("%+v, %v", p, err)
	}
	if n := len(c.Overlapping(p.Offsets)) + len(c.Taken(p.Offsets)); n < 3 {
		t.Errorf("%d pairs share memory: %+v", n, p)
	}
}
