package inplace

import (
	"cmp"
	"math"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/testkit/property"
	"github.com/tflarena/tflarena/lifetime"
)

// across returns the records that are alive at a position and at the next.
func across(records []lifetime.Record, at int) (list []int) {
	for i, r := range records {
		if r.Size > 0 && r.First <= at && at < r.Last {
			list = append(list, i)
		}
	}
	return list
}

// TestIntervals: the intervals follow each other from the first position to the last; each
// ends where a record does, and what is alive across its end is what it hands on, at most one record of which begins in
// it. If one record may be handed on, every such place ends an interval. If more may be, every such place still does.
func TestIntervals(t *testing.T) {
	handed := map[int]int{}
	property.Until(t, func() bool { return handed[0] > 0 && handed[1] > 0 && handed[2] > 0 }, func(t *rapid.T) {
		records := drawnChain(t).records
		most := rapid.IntRange(1, 3).Draw(t, "most")
		list := intervals(records, most, 2)
		ends := map[int]bool{}
		var in []int
		next := math.MaxInt
		for _, r := range records {
			if r.Size > 0 {
				next = min(next, r.First)
			}
		}
		for _, s := range list {
			alive := across(records, s.last)
			byIndex := slices.Clone(s.out)
			slices.Sort(byIndex)
			if s.first != next || s.last < s.first || !slices.Equal(s.in, in) || !slices.Equal(byIndex, alive) || len(alive) > most || len(without(s.out, s.in)) > 1 {
				t.Fatalf("%+v in %+v: should begin at %d with %d, and hand on %v", s, list, next, in, alive)
			}
			if !slices.IsSortedFunc(s.out, func(a, b int) int { return cmp.Compare(records[a].First, records[b].First) }) {
				t.Fatalf("%+v: hands on in no order", s)
			}
			handed[len(s.out)]++
			if !slices.ContainsFunc(records, func(r lifetime.Record) bool { return r.Size > 0 && r.Last == s.last }) {
				t.Fatalf("%+v: nothing ends at %d", list, s.last)
			}
			in, next = s.out, s.last+1
			ends[s.last] = true
		}
		for _, r := range records {
			if few := len(across(records, r.Last)) <= 1; r.Size > 0 && ends[r.Last] != few && (few || most == 1) {
				t.Fatalf("%+v: an interval ends at %d: %t", list, r.Last, ends[r.Last])
			}
			if r.Size > 0 && r.Last >= next {
				t.Fatalf("%+v: nothing after %d", list, next-1)
			}
		}
	})
}

// TestParts: at each position the parts of a record hold what it holds, in the intervals that
// have it and in no other.
func TestParts(t *testing.T) {
	type at struct {
		position int
		lo, hi   int64
	}
	held := func(r lifetime.Record) (list []at) {
		for p := range r.Pieces {
			for i := p.First; i <= p.Last; i++ {
				list = append(list, at{i, p.Lo, p.Hi})
			}
		}
		return list
	}
	cut := 0
	property.Until(t, func() bool { return cut > 0 }, func(t *rapid.T) {
		records := drawnChain(t).records
		for _, r := range records {
			var got []at
			for _, s := range intervals(records, wide, 2) {
				if r.Size == 0 || r.First > s.last || r.Last < s.first {
					continue
				}
				part := s.part(r)
				if err := lifetime.CheckRecords([]lifetime.Record{part}); err != nil || part.First < s.first || part.Last > s.last {
					t.Fatalf("%+v of %+v in %+v: %v", part, r, s, err)
				}
				if got = append(got, held(part)...); len(r.Gaps) > 0 && part.Last < r.Last {
					cut++
				}
			}
			if r.Size > 0 && gocmp.Diff(held(r), got, gocmp.AllowUnexported(at{})) != "" || r.Size == 0 && got != nil {
				t.Fatalf("%+v: parts hold %v", r, got)
			}
		}
	})
}

// TestWhereTimeIsCut: one record is handed on twice, and nothing at last.
//
//	position 0 1 2 3 4 5 6 7
//	record 0 x x
//	       1   x x x
//	       2     x
//	       3           x x .     holds half of it at 6 and none at 7
//	cut behind ^ ^ ^       ^
func TestWhereTimeIsCut(t *testing.T) {
	gaps := []lifetime.Gap{{First: 6, Last: 6, Lo: 4, Hi: 8}, {First: 7, Last: 7}}
	records := []lifetime.Record{
		{First: 0, Last: 1, Size: 8},
		{First: 1, Last: 3, Size: 8, Gaps: []lifetime.Gap{{First: 1, Last: 2, Lo: 0, Hi: 4}}},
		{First: 2, Last: 2, Size: 8},
		{First: 5, Last: 7, Size: 8, Gaps: gaps},
		{First: 0, Last: 7, Size: 0}, // never in the way
	}
	list := intervals(records, 1, 2)
	want := []interval{{first: 0, last: 1, out: []int{1}}, {first: 2, last: 2, in: []int{1}, out: []int{1}}, {first: 3, last: 3, in: []int{1}}, {first: 4, last: 7}}
	if diff := gocmp.Diff(want, list, gocmp.AllowUnexported(interval{})); diff != "" {
		t.Fatal(diff)
	}
	for k, want := range []lifetime.Record{
		{First: 1, Last: 1, Size: 8, Gaps: []lifetime.Gap{{First: 1, Last: 1, Lo: 0, Hi: 4}}},
		{First: 2, Last: 2, Size: 8, Gaps: []lifetime.Gap{{First: 2, Last: 2, Lo: 0, Hi: 4}}},
		{First: 3, Last: 3, Size: 8},
	} {
		if diff := gocmp.Diff(want, list[k].part(records[1])); diff != "" {
			t.Errorf("interval %d: %s", k, diff)
		}
	}
	if diff := gocmp.Diff(records[3], list[3].part(records[3])); diff != "" {
		t.Error(diff)
	}
}
