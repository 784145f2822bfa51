package split

import (
	"math/bits"
	"sort"
)

// samples is how many sizes of pieces are planned to know what those of all sizes take: in
// between it grows about evenly.
const samples = 8

// A load is how many bytes are in use while pieces of some rows, or columns, are made.
type load struct {
	// rows is how many there are to cut.
	rows int64
	// first, inner and last are the bytes of pieces of one row and more, by where they
	// stand: those at the edges have a neighbour on one side only, but may have to be
	// padded, and the first one may find nothing kept.
	first, inner, last curve
	// bytes is where they come from.
	bytes func(span) int64
	// start is what else there is while the first piece is made, and more how much more
	// there is for each row that a piece begins behind, which may be negative.
	start, more int64
}

// newLoad asks for the bytes of pieces of count, which are cut as evenly as they can be
// or up to three times as large.
func newLoad(rows int64, count int, bytes func(span) int64) *load {
	longest := min(rows-int64(count)+1, 3*ceilDiv(rows, int64(count)))
	middle := rows / int64(count)
	return &load{
		rows:  rows,
		bytes: bytes,
		first: sampled(longest, func(n int64) int64 { return bytes(span{0, n}) }),
		inner: sampled(longest, func(n int64) int64 { from := min(middle, rows-n); return bytes(span{from, from + n}) }),
		last:  sampled(longest, func(n int64) int64 { return bytes(span{rows - n, rows}) }),
	}
}

// A curve is the bytes of pieces of one row to the longest: of some of them as they were
// asked for, and of the others in between. Models may have as many rows as they say.
type curve struct {
	longest, step int64
	// known are those of one row, of a step more, and so on, and at the end of the longest.
	known []int64
}

// sampled asks for the bytes of some of the pieces of one row and more.
func sampled(longest int64, bytes func(rows int64) int64) curve {
	c := curve{longest: longest, step: ceilDiv(longest, samples), known: []int64{bytes(1)}}
	for at := int64(1); at < longest; {
		at = min(at+c.step, longest)
		c.known = append(c.known, bytes(at))
	}
	return c
}

// of returns the bytes of a piece of some rows, at least one and at most the longest.
func (c curve) of(rows int64) int64 {
	k := (rows - 1) / c.step
	at := 1 + k*c.step
	if at == rows {
		return c.known[k]
	}
	before, behind := c.known[k], c.known[k+1]
	part, whole := rows-at, min(at+c.step, c.longest)-at
	if before > behind {
		return before - share(before-behind, part, whole)
	}
	return before + share(behind-before, part, whole)
}

// share returns n*part/whole, part being no more than whole, without overflow.
func share(n, part, whole int64) int64 {
	hi, lo := bits.Mul64(uint64(n), uint64(part))
	quotient, _ := bits.Div64(hi, lo, uint64(whole))
	return int64(quotient)
}

// beside returns what there is while a piece is made that begins at some row.
func (l *load) beside(from int64) int64 { return l.start + l.more*from }

// balanced cuts the rows into count pieces so that the most bytes in use while any is made
// are fewest: the pieces become smaller as what was made before takes more, and larger as
// what is read takes less. Where sizes count that the samples have left out they may be better
// even.
func (l *load) balanced(count int) []span {
	even := pieces(l.rows, count)
	sized := l.sized(even)
	if l.largest(sized) > l.largest(even) {
		return even
	}
	return sized
}

// looked is how many pieces from either end are looked at: those in between are like them.
const looked = 3

// largest returns the most bytes in use while any of some pieces is made, as far as they are
// looked at.
func (l *load) largest(spans []span) (most int64) {
	for k, s := range spans {
		if k < looked || k >= len(spans)-looked {
			most = max(most, l.bytes(s)+l.beside(s.from))
		}
	}
	return most
}

// sized is balanced by what the samples say, from even pieces on.
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

// most returns the most bytes in use while any of some pieces is made.
func (l *load) most(spans []span) (most int64) {
	for k, s := range spans {
		most = max(most, l.curve(k, len(spans)).of(s.len())+l.beside(s.from))
	}
	return most
}

// curve returns the bytes of piece k of count.
func (l *load) curve(k, count int) *curve {
	switch k {
	case 0:
		return &l.first
	case count - 1:
		return &l.last
	}
	return &l.inner
}

// within cuts the rows into pieces each of which is as large as a limit lets it be, and
// returns nil where there would have to be more of them.
func (l *load) within(limit int64, count int) (spans []span) {
	at := int64(0)
	for k := range count {
		bytes, room := l.curve(k, count), limit-l.beside(at)
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
