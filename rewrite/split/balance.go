package split

import (
	"math/bits"
	"sort"
)

// samples is the number of tile sizes whose bytes are computed; between them the bytes grow
// almost linearly.
const samples = 8

// load models the bytes in use while a tile of some rows, or columns, is computed.
type load struct {
	// rows is the number of rows to split.
	rows int64
	// first, inner and last are the bytes of tiles from one row up, by position: tiles at the
	// edges have only one neighbour but may need padding, and the first one may find no kept
	// rows.
	first, inner, last curve
	// bytes computes the values sampled in the curves.
	bytes func(span) int64
	// start is the number of other bytes in use while the first tile is computed. more is the
	// increase for each row before a tile's start; it may be negative.
	start, more int64
}

// newLoad samples the bytes of count tiles, for lengths up to three times an even share.
func newLoad(rows int64, count int, bytes func(span) int64) *load {
	longest := min(rows-int64(count)+1, 3*ceilDiv(rows, int64(count)))
	middle := rows / int64(count)
	return &load{
		rows:  rows,
		bytes: bytes,
		first: sampleCurve(longest, func(n int64) int64 { return bytes(span{0, n}) }),
		inner: sampleCurve(longest, func(n int64) int64 { from := min(middle, rows-n); return bytes(span{from, from + n}) }),
		last:  sampleCurve(longest, func(n int64) int64 { return bytes(span{rows - n, rows}) }),
	}
}

// curve holds the bytes of tiles of one row to longest rows: sampled for some lengths and
// interpolated between them. The number of rows in a model is unbounded.
type curve struct {
	longest, step int64
	// samples are the samples at one row, one step more, and so on, and at longest.
	samples []int64
}

// sampleCurve samples the bytes of tiles of one to longest rows.
func sampleCurve(longest int64, bytes func(rows int64) int64) curve {
	c := curve{longest: longest, step: ceilDiv(longest, samples), samples: []int64{bytes(1)}}
	for at := int64(1); at < longest; {
		at = min(at+c.step, longest)
		c.samples = append(c.samples, bytes(at))
	}
	return c
}

// of returns the bytes of a tile with the given number of rows, from one to longest.
func (c curve) of(rows int64) int64 {
	k := (rows - 1) / c.step
	at := 1 + k*c.step
	if at == rows {
		return c.samples[k]
	}
	before, behind := c.samples[k], c.samples[k+1]
	part, whole := rows-at, min(at+c.step, c.longest)-at
	if before > behind {
		return before - share(before-behind, part, whole)
	}
	return before + share(behind-before, part, whole)
}

// share returns n*part/whole without overflow, for part at most whole.
func share(n, part, whole int64) int64 {
	hi, lo := bits.Mul64(uint64(n), uint64(part))
	quotient, _ := bits.Div64(hi, lo, uint64(whole))
	return int64(quotient)
}

// otherBytes returns the other bytes in use while a tile starting at a row is computed.
func (l *load) otherBytes(from int64) int64 { return l.start + l.more*from }

// balanced splits the rows into count tiles that minimise the peak bytes in use: tiles shrink
// as finished output accumulates, and grow as consumed input is freed. If an even split is
// better at sizes between the samples, it returns that.
func (l *load) balanced(count int) []span {
	even := pieces(l.rows, count)
	sized := l.sized(even)
	if l.largest(sized) > l.largest(even) {
		return even
	}
	return sized
}

// checkedTiles is the number of tiles checked from either end; those in between are alike.
const checkedTiles = 3

// largest returns the peak bytes in use over the checked tiles.
func (l *load) largest(spans []span) (most int64) {
	for k, s := range spans {
		if k < checkedTiles || k >= len(spans)-checkedTiles {
			most = max(most, l.bytes(s)+l.otherBytes(s.from))
		}
	}
	return most
}

// sized is balanced by the samples alone, starting from an even split.
func (l *load) sized(even []span) []span {
	best, count := even, len(even)
	low, high := int64(0), l.most(best)
	for low < high {
		limit := low + (high-low)/2
		if spans := l.within(limit, count); spans != nil {
			best, high = spans, limit
		} else {
			low = limit + 1
		}
	}
	return best
}

// most returns the peak bytes in use over all tiles, from the samples.
func (l *load) most(spans []span) (most int64) {
	for k, s := range spans {
		most = max(most, l.curve(k, len(spans)).of(s.len())+l.otherBytes(s.from))
	}
	return most
}

func (l *load) curve(k, count int) *curve {
	switch k {
	case 0:
		return &l.first
	case count - 1:
		return &l.last
	}
	return &l.inner
}

// within splits the rows greedily into tiles as large as the limit, in bytes, allows. It
// returns nil if count tiles do not suffice.
func (l *load) within(limit int64, count int) (spans []span) {
	at := int64(0)
	for k := range count {
		bytes, room := l.curve(k, count), limit-l.otherBytes(at)
		most := min(bytes.longest, l.rows-at-int64(count-1-k))
		n := int64(sort.Search(int(most), func(i int) bool { return bytes.of(int64(i)+1) > room }))
		if k == count-1 && n < l.rows-at {
			return nil
		}
		if n == 0 {
			return nil
		}
		spans = append(spans, span{at, at + n})
		at += n
	}
	return spans
}
