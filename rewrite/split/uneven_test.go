package split

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// drawnUneven draws what strips take: more for higher ones and less for more tiles, but not evenly.
func drawnUneven(t *rapid.T) *uneven {
	known := map[[3]int64]int64{}
	rows, width := rapid.Int64Range(1, 9).Draw(t, "rows"), rapid.Int64Range(1, 4).Draw(t, "width")
	noise := rapid.SliceOfN(rapid.Int64Range(0, 30), 1, 20).Draw(t, "noise")
	u := newUneven(rows, width, rapid.Int64Range(1, 9).Draw(t, "groups"), func(y span, columns int) int64 {
		key := [3]int64{y.from, y.to, int64(columns)}
		if _, ok := known[key]; !ok {
			known[key] = 40*y.len()*width/int64(columns) + noise[len(known)%len(noise)]
		}
		return known[key]
	})
	u.start, u.more = rapid.Int64Range(0, 500).Draw(t, "start"), rapid.Int64Range(-40, 40).Draw(t, "more")
	return u
}

// each calls yield with the tiles and the most bytes of each way to cut the rows from a group on.
func (u *uneven) each(group int64, tiles int, most int64, yield func(tiles int, most int64)) {
	if group == u.groups {
		yield(tiles, most)
		return
	}
	for k, h := range u.heights {
		for n := 1; group+h <= u.groups && n <= int(u.width); n++ {
			u.each(group+h, tiles+n, max(most, u.stripBytes(group, k, n)), yield)
		}
	}
}

// TestUnevenIsLeast: no way to cut an output into as many tiles takes fewer bytes, and none that takes
// as few has fewer tiles; and the strips are all rows, one behind the other.
func TestUnevenIsLeast(t *testing.T) {
	fewer := 0
	rapid.Check(t, func(t *rapid.T) {
		u := drawnUneven(t)
		count := rapid.IntRange(1, 12).Draw(t, "count")
		bytes, tiles := int64(math.MaxInt64), 0
		u.each(0, 0, 0, func(n int, most int64) {
			if n <= count && (most < bytes || most == bytes && n < tiles) {
				bytes, tiles = most, n
			}
		})
		list := u.least(count)
		at, sum, most := int64(0), 0, int64(0)
		for _, c := range list {
			if c.y.from != at {
				t.Fatalf("a strip begins at row %d, and the one before ends at %d", c.y.from, at)
			}
			for k, h := range u.heights {
				if c.y.from/u.step+h == c.next {
					most = max(most, u.stripBytes(c.y.from/u.step, k, c.columns))
				}
			}
			at, sum = c.y.to, sum+c.columns
		}
		if at != u.rows || sum != tiles || most != bytes || list[0].tiles != tiles || list[0].peak != bytes {
			t.Fatalf("%d of %d rows, %d tiles and %d bytes, not %d and %d: %+v", at, u.rows, sum, most, tiles, bytes, list)
		}
		if tiles < count {
			fewer++
		}
	})
	if fewer == 0 {
		t.Error("no draw needs fewer tiles than it may have")
	}
}
