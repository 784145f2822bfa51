package alloc

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/internal/testkit/property"
	"github.com/tflarena/tflarena/internal/testkit/reference"
	"github.com/tflarena/tflarena/lifetime"
)

// drawApart draws what is forbidden: of what whole records forbid, some distances are left out.
func drawApart(t *rapid.T, records Records) func(a, b int) []lifetime.Range {
	forbidden := map[[2]int][]lifetime.Range{}
	for b, s := range records {
		for a, r := range records[:b] {
			if !r.Overlaps(s) || r.Size == 0 || s.Size == 0 {
				continue
			}
			lo, hi := 1-s.Size, r.Size-1
			var list []lifetime.Range
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0: // a part of it, or nothing
				lo = rapid.Int64Range(lo, hi+1).Draw(t, "lo")
			case 1: // a hole within
				hole := rapid.Int64Range(lo, hi).Draw(t, "hole")
				if hole > lo {
					list = append(list, lifetime.Range{Lo: lo, Hi: hole - 1})
				}
				lo = hole + 1
			}
			if lo <= hi {
				list = append(list, lifetime.Range{Lo: lo, Hi: hi})
			}
			forbidden[[2]int{a, b}] = list
		}
	}
	return func(a, b int) []lifetime.Range {
		list, asked := forbidden[[2]int{a, b}]
		if !asked {
			panic("asked for records that do not meet, or that are empty")
		}
		return list
	}
}

// withoutPins makes records free: pins drawn at random contradict each other.
func withoutPins(records Records) Records {
	free := append(Records(nil), records...)
	for i := range free {
		free[i].Pinned, free[i].Gaps = false, nil
	}
	return free
}

func TestApartWithEveryStrategy(t *testing.T) {
	for _, s := range Strategies(Offsets) {
		t.Run(s.Name, rapid.MakeCheck(func(t *rapid.T) {
			records := withoutPins(reference.DrawShape(t, true).Draw(t, 0))
			opt := Options{Approach: Offsets, Strategy: s.Name, SearchNodes: 2000, SearchTime: time.Hour, Forbidden: drawApart(t, records)}
			plan, err := Solve(context.Background(), records, opt)
			if err != nil {
				t.Fatalf("%v\n%v", err, records)
			}
			if err := check.Distances(records, plan.Offsets, plan.Total, opt.Forbidden); err != nil {
				t.Fatal(err)
			}
			if s.Name == Auto {
				opt.Forbidden = nil
				if whole, err := Solve(context.Background(), records, opt); err != nil || whole.Total < plan.Total {
					t.Fatalf("%d bytes, but %d as whole records: %v", plan.Total, whole.Total, err)
				}
			}
		}))
	}
}

// leastApart tries all offsets of up to five small records and returns the smallest total.
func leastApart(records Records, forbid func(a, b int) []lifetime.Range) int64 {
	best := int64(math.MaxInt64)
	offsets := make([]int64, len(records))
	var place func(i int, total int64)
	place = func(i int, total int64) {
		if total >= best {
			return
		}
		if i == len(records) {
			best = total
			return
		}
		r := records[i]
		for at := int64(0); at+r.Size < best; at += r.Alignment() {
			if r.Pinned && at != r.Offset {
				continue
			}
			offsets[i] = at
			right := true
			for j := range i {
				if right && r.Overlaps(records[j]) {
					for _, f := range forbid(j, i) {
						right = right && (at-offsets[j] < f.Lo || f.Hi < at-offsets[j])
					}
				}
			}
			if right {
				place(i+1, max(total, at+r.Size))
			}
		}
	}
	place(0, 0)
	return best
}

// smallRecords draws a few records, pins and alignments included.
func smallRecords(t *rapid.T) Records {
	records := make(Records, rapid.IntRange(1, 5).Draw(t, "n"))
	for i := range records {
		first := rapid.IntRange(0, 3).Draw(t, "first")
		records[i] = lifetime.Record{
			First: first, Last: first + rapid.IntRange(0, 3).Draw(t, "length"), Size: rapid.Int64Range(1, 6).Draw(t, "size"),
			Align: rapid.SampledFrom([]int64{0, 1, 2, 3}).Draw(t, "align"),
		}
	}
	records[0].Pinned = rapid.IntRange(0, 3).Draw(t, "pin") == 0
	return records
}

func TestApartIsExact(t *testing.T) {
	below := 0
	property.Until(t, func() bool { return below > 20 }, func(t *rapid.T) {
		records := smallRecords(t)
		opt := Options{Approach: Offsets, Strategy: Exact, Forbidden: drawApart(t, records)}
		plan, err := Solve(context.Background(), records, opt)
		if err != nil {
			t.Fatal(err)
		}
		want := leastApart(records, opt.Forbidden)
		if plan.Total != want || !plan.Optimal || plan.LowerBound != want || plan.Interrupted {
			t.Fatalf("%d bytes, bound %d, optimal %v (%s); want %d\n%v", plan.Total, plan.LowerBound, plan.Optimal, plan.Proof, want, records)
		}
		capacity := want - 2 + rapid.Int64Range(0, 3).Draw(t, "capacity")
		verdict, err := Fit(context.Background(), records, capacity, opt)
		if err != nil {
			t.Fatal(err)
		}
		if fits := verdict.Answer == Fits; verdict.Answer == Unknown || fits != (capacity >= want) || fits && verdict.Plan.Total > capacity {
			t.Fatalf("%v in %d bytes; the least is %d", verdict.Answer, capacity, want)
		}
		if lowerBound(Offsets, records).Bytes > want {
			below++
		}
	})
}

func TestForbiddenShared(t *testing.T) {
	opt := Options{Approach: Shared, Forbidden: func(a, b int) []lifetime.Range { return nil }}
	if _, err := Solve(context.Background(), Records{{Size: 1}}, opt); !errors.Is(err, ErrForbiddenShared) {
		t.Errorf("got %v", err)
	}
}

// An unproven plan becomes a proven one by a bound that the caller knows.
func TestBoundOfTheCaller(t *testing.T) {
	records := Records{{Last: 1, Size: 4}, {First: 1, Last: 2, Size: 4}}
	opt := Options{Approach: Offsets, Strategy: "naive", Bound: Bound{Bytes: 8, Reason: "what the caller says"}}
	opt.Forbidden = func(a, b int) []lifetime.Range { return []lifetime.Range{{Lo: -2, Hi: 3}} }
	plan, err := Solve(context.Background(), records, opt)
	if err != nil || !plan.Optimal || plan.Proof.String() != "the total equals the lower bound: what the caller says" {
		t.Errorf("%+v: %v", plan, err)
	}
	opt.Bound = Bound{}
	if plan, err = Solve(context.Background(), records, opt); err != nil || plan.Optimal || plan.LowerBound != 7 {
		t.Errorf("%+v: %v", plan, err)
	}
}

// TestApartCore: a misfit has a small core.
func TestApartCore(t *testing.T) {
	var records Records
	for i := range 40 {
		records = append(records, lifetime.Record{First: i, Last: i + 1, Size: 10})
	}
	records[20].Size, records[21].Size = 100, 90
	opt := Options{Forbidden: func(a, b int) []lifetime.Range {
		return []lifetime.Range{{Lo: 1 - records[b].Size/2, Hi: records[a].Size - 1}}
	}}
	verdict, err := Fit(context.Background(), records, 140, opt)
	if err != nil || verdict.Answer != Misfit || len(verdict.Core) != 2 || verdict.Core[0] != 20 || verdict.Core[1] != 21 {
		t.Errorf("%+v: %v", verdict, err)
	}
}
