package split

import "sort"

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
	first, inner, last []int64
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

// sampled returns the bytes of one row and more, some of them asked for and the others in
// between.
func sampled(longest int64, bytes func(rows int64) int64) []int64 {
	list := make([]int64, longest)
	step := ceilDiv(longest, samples)
	list[0] = bytes(1)
	for at := int64(1); at < longest; {
		next := min(at+step, longest)
		end := bytes(next)
		for n := at + 1; n <= next; n++ {
			list[n-1] = list[at-1] + (end-list[at-1])*(n-at)/(next-at)
		}
		at = next
	}
	return list
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
		most = max(most, l.table(k, len(spans))[s.len()-1]+l.beside(s.from))
	}
	return most
}

// table returns the bytes of piece k of count.
func (l *load) table(k, count int) []int64 {
	switch k {
	case 0:
		return l.first
	case count - 1:
		return l.last
	}
	return l.inner
}

// within cuts the rows into pieces each of which is as large as a limit lets it be, and
// returns nil where there would have to be more of them.
func (l *load) within(limit int64, count int) (spans []span) {
	at := int64(0)
	for k := range count {
		bytes, room := l.table(k, count), limit-l.beside(at)
		most := min(int64(len(bytes)), l.rows-at-int64(count-1-k))
		n := int64(sort.Search(int(most), func(i int) bool { return bytes[i] > room }))
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
