package split

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestCurve: what is asked for is as it was told, and what lies between two of those as far
// between them as the rows are.
func TestCurve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		longest := rapid.Int64Range(1, 100).Draw(t, "longest")
		told := map[int64]int64{}
		c := sampleCurve(longest, func(rows int64) int64 {
			told[rows] = rapid.Int64Range(0, 1000).Draw(t, "bytes")
			return told[rows]
		})
		before := int64(1)
		for rows := int64(1); rows <= longest; rows++ {
			if want, ok := told[rows]; ok {
				before = rows
				if got := c.of(rows); got != want {
					t.Fatalf("%d rows: %d B, not %d", rows, got, want)
				}
				continue
			}
			behind := rows
			for ; ; behind++ {
				if _, ok := told[behind]; ok {
					break
				}
			}
			want := told[before] + (told[behind]-told[before])*(rows-before)/(behind-before)
			if got := c.of(rows); got != want {
				t.Fatalf("%d rows between %d and %d: %d B, not %d", rows, before, behind, got, want)
			}
		}
		if told[longest] != c.of(longest) || len(told) > samples+1 {
			t.Fatalf("%d of %d sizes were asked for", len(told), longest)
		}
	})
}

// TestCurveOfManyRows: however many rows there are, a few sizes are asked for and kept, and
// numbers up to the largest do no harm.
func TestCurveOfManyRows(t *testing.T) {
	for _, most := range []int64{1000, math.MaxInt64} {
		asked, longest := 0, int64(1)<<31
		c := sampleCurve(longest, func(rows int64) int64 {
			asked++
			return most / longest * rows
		})
		if asked > samples+1 || len(c.samples) > samples+1 {
			t.Errorf("%d sizes were asked for, %d are kept", asked, len(c.samples))
		}
		before := int64(0)
		for rows := int64(1); rows < longest; rows += longest/1000 + 1 {
			if got := c.of(rows); got < before {
				t.Fatalf("%d rows take %d B, fewer take %d", rows, got, before)
			} else {
				before = got
			}
		}
	}
}

// TestLeaning: edges move as far as they are told, but each strip keeps a row, and together they stay the whole.
func TestLeaning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.Int64Range(1, 60).Draw(t, "rows")
		strips := pieces(rows, rapid.IntRange(1, int(min(rows, 9))).Draw(t, "strips"))
		lean := rapid.IntRange(-int(rows), int(rows)).Draw(t, "lean")
		got := leaning(strips, lean)
		at := int64(0)
		for i, s := range got {
			if s.from != at || s.to <= s.from {
				t.Fatalf("strips %v", got)
			}
			at = s.to
			if moved := s.to - strips[i].to; moved*int64(lean) < 0 && i > 0 && got[i-1].to+1 < s.to {
				t.Fatalf("lean %d moves edge %d of %v to %v", lean, i, strips, got)
			}
		}
		if at != rows || len(got) != len(strips) {
			t.Fatalf("%d rows: strips %v", rows, got)
		}
		if n := len(strips); n > 1 && strips[0].to+int64(lean) > 0 && strips[0].to+int64(lean) <= rows-int64(n)+1 && got[0].to != strips[0].to+int64(lean) {
			t.Fatalf("lean %d moves the first edge of %v to %v", lean, strips, got)
		}
	})
}
