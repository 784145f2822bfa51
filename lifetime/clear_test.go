package lifetime

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/testkit/property"
)

// slowClear tries all offsets within a limit.
func slowClear(r Record, others []Placed, limit int64) (low, high int64, ok bool) {
	for at := int64(0); at+r.Size <= limit; at += r.Alignment() {
		free := true
		for _, s := range others {
			free = free && !Meet(r, s.Record, at, s.At)
		}
		if free && !ok {
			low, ok = at, true
		}
		if free {
			high = at
		}
	}
	return low, high, ok
}

// drawHeld draws a record of up to 20 bytes with gaps.
func drawHeld(t *rapid.T) Record {
	r := Record{First: rapid.IntRange(-1, 6).Draw(t, "first"), Size: rapid.Int64Range(0, 20).Draw(t, "size")}
	r.Last = r.First + rapid.IntRange(0, 6).Draw(t, "length")
	if rapid.Bool().Draw(t, "gaps") {
		r.Gaps = drawGaps(t, r)
	}
	return r
}

// TestClear: the lowest and the highest offset match an exhaustive search.
func TestClear(t *testing.T) {
	inside, none := 0, 0
	property.Until(t, func() bool { return inside > 0 && none > 0 }, func(t *rapid.T) {
		r := drawHeld(t)
		r.Align = rapid.Int64Range(0, 16).Draw(t, "align")
		var others []Placed
		for range rapid.IntRange(0, 5).Draw(t, "others") {
			others = append(others, Placed{drawHeld(t), rapid.Int64Range(0, 40).Draw(t, "at")})
		}
		limit := 32 + rapid.Int64Range(-33, 32).Draw(t, "more")
		low, high, ok := r.Clear(others, limit)
		wantLow, wantHigh, want := slowClear(r, others, limit)
		if ok != want || ok && (low != wantLow || high != wantHigh) {
			t.Fatalf("%+v among %+v in %d bytes: got %d, %d, %t, want %d, %d, %t", r, others, limit, low, high, ok, wantLow, wantHigh, want)
		}
		if !ok {
			none++
		} else if low > 0 || high < (limit-r.Size)/r.Alignment()*r.Alignment() {
			inside++
		}
	})
}

// TestClearAroundWindows: from position 1 on there is room below a, which then holds only its
// last bytes, between a and b, and above b.
//
//	bytes       0123456789abcdef
//	position 0  aaaaaaaa
//	         1  rrr aaaa    bb      r at its lowest
//	         1      aaaa rrrbb      and at its highest
func TestClearAroundWindows(t *testing.T) {
	a := Placed{Record{First: 0, Last: 2, Size: 8, Gaps: []Gap{{First: 1, Last: 2, Lo: 4, Hi: 8}}}, 0}
	b := Placed{Record{First: 1, Last: 2, Size: 2}, 12}
	for _, test := range []struct {
		first, size, align, limit int64
		low, high                 int64 // -1 for none
	}{
		{1, 3, 1, 16, 0, 9},   // below a, and between a and b
		{1, 4, 4, 16, 0, 8},   // the whole room below a and between a and b
		{1, 3, 2, 16, 0, 8},   // no higher offset is even
		{1, 2, 1, 16, 0, 14},  // above b
		{0, 3, 1, 16, 8, 9},   // a is complete at 0
		{0, 4, 8, 16, 8, 8},   // between a and b
		{1, 5, 1, 16, -1, -1}, // too large for any of the three
		{1, 5, 1, 19, 14, 14}, // above b
		{1, 5, 4, 19, -1, -1}, // but not aligned
		{1, 3, 1, 2, -1, -1},  // larger than the arena
		{1, 3, 1, -1, -1, -1},
		{3, 16, 1, 16, 0, 0}, // when nothing else is there
	} {
		r := Record{First: int(test.first), Last: max(2, int(test.first)), Size: test.size, Align: test.align}
		low, high, ok := r.Clear([]Placed{b, a}, test.limit)
		if ok != (test.low >= 0) || ok && (low != test.low || high != test.high) {
			t.Errorf("%+v: got %d, %d, %t", test, low, high, ok)
		}
	}
}
