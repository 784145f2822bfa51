package lifetime

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"
	"pgregory.net/rapid"
)

// problem draws a few records with many ties, half of the time with gaps.
func problem(t *rapid.T) []Record {
	gaps := rapid.Bool().Draw(t, "gaps")
	record := rapid.Custom(func(t *rapid.T) Record {
		first := rapid.IntRange(-1, 12).Draw(t, "first")
		r := Record{
			First: first,
			Last:  first + rapid.IntRange(0, 6).Draw(t, "length"),
			Size:  rapid.Int64Range(0, 9).Draw(t, "size"),
		}
		if gaps {
			r.Gaps = drawGaps(t, r)
		}
		return r
	})
	return rapid.SliceOfN(record, 0, 24).Draw(t, "records")
}

// slowMaxima computes the positional maxima from the definition: an object holds whole tensors,
// so sizes count, not the bytes held.
func slowMaxima(records []Record) []int64 {
	var maxima []int64
	for p := -1; p <= 18; p++ {
		var sizes []int64
		for _, i := range Profile(records, p) {
			sizes = append(sizes, records[i].Size)
		}
		slices.SortFunc(sizes, func(a, b int64) int { return int(b - a) })
		for k, size := range sizes {
			if k == len(maxima) {
				maxima = append(maxima, 0)
			}
			maxima[k] = max(maxima[k], size)
		}
	}
	for len(maxima) > 0 && maxima[len(maxima)-1] == 0 {
		maxima = maxima[:len(maxima)-1]
	}
	return maxima
}

func TestPositionalMaximaAgreeWithDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := problem(t)
		got, want := PositionalMaxima(records), slowMaxima(records)
		if diff := cmp.Diff(want, got); diff != "" && len(want)+len(got) > 0 {
			t.Errorf("positional maxima differ (-want +got):\n%s", diff)
		}
	})
}

func TestSectionsAgreeWithProfiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := problem(t)
		breadth := map[int]int64{}
		for _, s := range Sections(records) {
			if s.First > s.Last {
				t.Fatalf("section %+v is empty", s)
			}
			for p := s.First; p <= s.Last; p++ {
				if _, twice := breadth[p]; twice {
					t.Fatalf("position %d lies in two sections", p)
				}
				breadth[p] = s.Breadth
			}
		}
		var peak int64
		for p := -3; p < 25; p++ {
			var sum int64
			for _, i := range Profile(records, p) {
				sum += slowHeld(records[i], p)
			}
			if breadth[p] != sum {
				t.Errorf("breadth at %d is %d, the profile's sizes sum to %d", p, breadth[p], sum)
			}
			peak = max(peak, sum)
		}
		if got := MaxBreadth(records); got != peak {
			t.Errorf("MaxBreadth = %d, the largest profile sum is %d", got, peak)
		}
	})
}

func TestBoundsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := problem(t)
		offsets, shared, naive := MaxBreadth(records), SharedBound(records), Naive(records)
		if offsets > shared || shared > naive {
			t.Errorf("bounds are not ordered: offsets %d, shared objects %d, naive %d", offsets, shared, naive)
		}
	})
}

// TestFigures checks the worked problems whose profiles are published with the
// authors' code.
func TestFigures(t *testing.T) {
	chain := []Record{{Size: 16, First: 0, Last: 1}, {Size: 8, First: 1, Last: 2}, {Size: 64, First: 2, Last: 3}, {Size: 32, First: 3, Last: 4}, {Size: 8, First: 4, Last: 5}}
	if diff := cmp.Diff([]int64{64, 32}, PositionalMaxima(chain)); diff != "" {
		t.Error(diff)
	}
	complicated := []Record{
		{Size: 32, First: 0, Last: 1},
		{Size: 32, First: 1, Last: 4},
		{Size: 8, First: 2, Last: 5},
		{Size: 16, First: 3, Last: 5},
		{Size: 8, First: 4, Last: 5},
		{Size: 64, First: 5, Last: 7},
		{Size: 8, First: 6, Last: 8},
		{Size: 8, First: 7, Last: 8},
		{Size: 16, First: 8, Last: 9},
	}
	if diff := cmp.Diff([]int64{64, 32, 8, 8}, PositionalMaxima(complicated)); diff != "" {
		t.Error(diff)
	}
	if got := MaxBreadth(complicated); got != 96 {
		t.Errorf("MaxBreadth = %d, want 96", got)
	}
	want := [][]int{{0}, {0, 1}, {1, 2}, {1, 3, 2}, {1, 3, 2, 4}, {5, 3, 2, 4}, {5, 6}, {5, 6, 7}, {8, 6, 7}, {8}}
	for p, profile := range want {
		if diff := cmp.Diff(profile, Profile(complicated, p)); diff != "" {
			t.Errorf("profile of operator %d (-want +got):\n%s", p, diff)
		}
	}
}

func TestCheckRecords(t *testing.T) {
	tests := []struct {
		record Record
		want   string // part of the message; empty where the record is fine
	}{
		{Record{First: -1, Last: -1, Size: 5}, ""},
		{Record{First: 3, Last: 2}, "the interval is empty"},
		{Record{First: math.MinInt, Last: 2}, "no neighbour"},
		{Record{Last: math.MaxInt}, "no neighbour"},
		{Record{Size: -1}, "size -1"},
		{Record{Align: -16}, "alignment -16"},
		{Record{Pinned: true, Offset: -16}, "offset -16"},
		{Record{Pinned: true, Offset: 8, Align: 16}, "not a multiple"},
		{Record{Offset: 8, Align: 16}, ""},
		{Record{Size: math.MaxInt64}, "above"},
		{Record{Align: math.MaxInt64}, "above"},
		{Record{Last: 9, Size: 4, Gaps: []Gap{{0, 2, 0, 0}, {3, 4, 1, 4}, {9, 9, 4, 4}}}, ""},
		{Record{Last: 9, Gaps: []Gap{{4, 3, 0, 0}}}, "gap from position 4 to 3: the gap is empty"},
		{Record{Last: 9, Gaps: []Gap{{4, 10, 0, 0}}}, "gap from position 4 to 10, but is alive from 0 to 9"},
		{Record{Last: 9, Gaps: []Gap{{-1, 3, 0, 0}}}, "but is alive from 0 to 9"},
		{Record{Last: 9, Gaps: []Gap{{0, 3, 0, 0}, {3, 4, 0, 0}}}, "not after the gap before it, which lasts to 3"},
		{Record{Last: 9, Gaps: []Gap{{5, 6, 0, 0}, {3, 4, 0, 0}}}, "not after the gap before it"},
		{Record{Last: 9, Size: 4, Gaps: []Gap{{5, 6, -1, 0}}}, "holds bytes -1 to 0 in a gap"},
		{Record{Last: 9, Size: 4, Gaps: []Gap{{5, 6, 0, 5}}}, "holds bytes 0 to 5 in a gap, but its own bytes are 0 to 4"},
		{Record{Last: 9, Size: 4, Gaps: []Gap{{5, 6, 3, 2}}}, "holds bytes 3 to 2"},
	}
	for _, tt := range tests {
		err := CheckRecords([]Record{tt.record})
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%+v: unexpected error %v", tt.record, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%+v: got error %v, want one with %q", tt.record, err, tt.want)
		}
	}
	many := make([]Record, 3)
	for i := range many {
		many[i].Size = MaxTotal / 3
	}
	if err := CheckRecords(many); err == nil || !strings.Contains(err.Error(), "record 2") {
		t.Errorf("sum of sizes: got error %v, want one that names record 2", err)
	}
}

// TestNaive: alignment padding and pinned records count without sharing, too, so that no plan
// with sharing is larger.
func TestNaive(t *testing.T) {
	small := []Record{{Size: 4, Align: 64}, {Size: 4, Align: 64}, {Size: 4, Align: 64}, {Size: 4, Align: 64}}
	if got := Naive(small); got != 3*64+4 {
		t.Errorf("four tensors of 4 bytes at multiples of 64: %d", got)
	}
	if got := Sum(small); got != 16 {
		t.Errorf("the sum of their sizes: %d", got)
	}
	pinned := []Record{{Size: 8}, {Size: 8, Pinned: true, Offset: 100}}
	if got := Naive(pinned); got != 116 {
		t.Errorf("behind one that is pinned: %d", got)
	}
}
