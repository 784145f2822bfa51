package alloc

import (
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/alloc/internal/disjunctive"
	"github.com/tflarena/tflarena/internal/testkit/property"
	"github.com/tflarena/tflarena/internal/testkit/reference"
	"github.com/tflarena/tflarena/lifetime"
)

// drawGaps draws gaps that [lifetime.CheckRecords] accepts, many of them side by
// side.
func drawGaps(t *rapid.T, r lifetime.Record) []lifetime.Gap {
	var gaps []lifetime.Gap
	for p := r.First; p <= r.Last; p++ {
		if rapid.IntRange(0, 2).Draw(t, "gap") > 0 {
			continue
		}
		g := lifetime.Gap{First: p, Last: rapid.IntRange(p, r.Last).Draw(t, "gap's last")}
		g.Lo = rapid.Int64Range(0, r.Size).Draw(t, "lo")
		g.Hi = rapid.Int64Range(g.Lo, r.Size).Draw(t, "hi")
		gaps = append(gaps, g)
		p = g.Last
	}
	return gaps
}

// drawGappy returns records with gaps whose pins do not contradict each other, but
// may lie in each other's gaps.
func drawGappy(t *rapid.T, s reference.Shape) Records {
	pins := s.Pins
	s.Pins = false
	records := s.Draw(t, 0)
	for i := range records {
		r := &records[i]
		r.Gaps = drawGaps(t, *r)
		if pins && rapid.IntRange(0, 2).Draw(t, "pin") == 0 {
			r.Pinned, r.Offset = true, r.Alignment()*rapid.Int64Range(0, 4).Draw(t, "offset")
		}
		if checkInput(records[:i+1], Options{Approach: Offsets}) != nil {
			r.Pinned, r.Offset = false, 0
		}
	}
	return records
}

// TestLawsWithGaps holds every strategy for offsets to what is true of all plans.
func TestLawsWithGaps(t *testing.T) {
	for _, s := range Strategies(Offsets) {
		t.Run(s.Name, rapid.MakeCheck(func(t *rapid.T) {
			records := drawGappy(t, reference.DrawShape(t, true))
			plan := solveDrawn(t, records, Offsets, s.Name)
			if plan.LowerBound < LowerBound(Offsets, records) || plan.Total < plan.LowerBound {
				t.Fatalf("total %d, bound %d, LowerBound says %d", plan.Total, plan.LowerBound, LowerBound(Offsets, records))
			}
		}))
	}
}

// TestBoundsWithGapsAreBelowTheOptimum finds the optimum by trying all offsets.
func TestBoundsWithGapsAreBelowTheOptimum(t *testing.T) {
	met := 0
	property.Until(t, func() bool { return met > 0 }, func(t *rapid.T) {
		s := reference.Shape{Records: 4, Positions: 3, Length: 3, Size: 5}
		s.Aligns = rapid.SampledFrom([][]int64{{1}, {2}, {4}, {1, 2, 4}, {3, 2}}).Draw(t, "aligns")
		s.Pins = rapid.Bool().Draw(t, "pins")
		records := drawGappy(t, s)
		best := bestWithGaps(records)
		if bound := LowerBound(Offsets, records); bound > best {
			t.Fatalf("bound %d, optimum %d\n%+v", bound, best, records)
		} else if bound == best {
			met++
		}
		if plan := solveDrawn(t, records, Offsets, Auto); plan.Total < best || plan.Optimal && plan.Total > best {
			t.Fatalf("total %d, optimal %v, optimum %d\n%+v", plan.Total, plan.Optimal, best, records)
		}
	})
}

// bestWithGaps tries all offsets up to where the records end laid end to end. Only
// whole plans are judged, by the checker.
func bestWithGaps(records Records) int64 {
	least := int64(-1)
	offsets := make([]int64, len(records))
	var place func(i int, end int64)
	place = func(i int, end int64) {
		if least >= 0 && end >= least {
			return
		}
		if i == len(records) {
			if check.Offsets(records, offsets, end) == nil {
				least = end
			}
			return
		}
		r := records[i]
		next := func(offset int64) {
			offsets[i] = offset
			if r.Size == 0 {
				place(i+1, end)
			} else {
				place(i+1, max(end, offset+r.Size))
			}
		}
		switch {
		case r.Pinned:
			next(r.Offset)
		case r.Size == 0:
			next(0)
		default:
			for offset := int64(0); offset <= mostAnyStrategyTakes(records, Offsets); offset += r.Alignment() {
				next(offset)
			}
		}
	}
	place(0, 0)
	return least
}

// TestPlansAgainstTheOptimum takes larger problems than those for which all offsets
// can be tried, with and without gaps: no strategy may be better than the optimum of
// the disjunctive search, no bound above it, and no claim to be optimal wrong.
func TestPlansAgainstTheOptimum(t *testing.T) {
	proven := 0
	property.Until(t, func() bool { return proven > 0 }, func(t *rapid.T) {
		s := reference.Shape{Records: 11, Positions: 8, Length: 6, Size: 12, Aligns: []int64{1}}
		s.Aligns = rapid.SampledFrom([][]int64{{1}, {4}, {1, 2, 4}, {3, 2}}).Draw(t, "aligns")
		s.Pins = rapid.Bool().Draw(t, "pins")
		records := s.Draw(t, 0)
		if rapid.Bool().Draw(t, "gaps") {
			records = drawGappy(t, s)
		}
		upper := mostAnyStrategyTakes(records, Offsets) + 1
		best := disjunctive.Minimise(context.Background(), records, 0, upper, 2000, nil)
		if !best.Proven {
			return
		}
		proven++
		for _, strategy := range Strategies(Offsets) {
			plan := solveDrawn(t, records, Offsets, strategy.Name)
			if plan.Total < best.Total || plan.LowerBound > best.Total || plan.Optimal && plan.Total > best.Total {
				t.Fatalf("%s: total %d, bound %d, optimal %v; the optimum is %d\n%+v",
					strategy.Name, plan.Total, plan.LowerBound, plan.Optimal, best.Total, records)
			}
		}
	})
}

func TestSharedRefusesGaps(t *testing.T) {
	records := Records{{ID: "x", Size: 1}, {ID: "a", Last: 4, Size: 8, Gaps: []lifetime.Gap{{First: 1, Last: 2}}}}
	_, err := Solve(context.Background(), records, Options{Approach: Shared})
	if !errors.Is(err, ErrGapsShared) || err.Error() != "record 1 (a): "+ErrGapsShared.Error() {
		t.Errorf("got %v, want ErrGapsShared for record 1", err)
	}
	if _, err := Solve(context.Background(), records, Options{Approach: Offsets}); err != nil {
		t.Error(err)
	}
}

// TestBoundsWithGaps names where each bound comes from.
func TestBoundsWithGaps(t *testing.T) {
	half := func(first, last int, lo, hi int64) lifetime.Record {
		return lifetime.Record{Last: 3, Size: 8, Gaps: []lifetime.Gap{{First: first, Last: last, Lo: lo, Hi: hi}}}
	}
	aligned := half(0, 3, 1, 6)
	aligned.Align = 4
	one := lifetime.Record{Last: 3, Size: 1, Align: 4}
	for _, test := range []struct {
		name    string
		records Records
		want    int64
	}{
		{"a gap holds nothing", Records{half(2, 3, 0, 0), {First: 2, Last: 3, Size: 5}}, 8},
		{"a window holds its bytes", Records{half(2, 3, 2, 6), {First: 2, Last: 3, Size: 5}}, 9},
		{"never held whole", Records{half(0, 3, 2, 3)}, 8},
		{"a pinned one ends above its window", Records{{Last: 3, Size: 8, Pinned: true, Offset: 4, Gaps: []lifetime.Gap{{First: 0, Last: 3, Lo: 0, Hi: 1}}}}, 12},
		{"a window counts from its first aligned byte", Records{aligned, one, one, one}, 13},
	} {
		if got := LowerBound(Offsets, test.records); got != test.want {
			t.Errorf("%s: bound %d, want %d", test.name, got, test.want)
		}
	}
}
