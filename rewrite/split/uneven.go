package split

import (
	"math"

	"golang.org/x/exp/slices"
)

// A tileRow is some rows of the output, and where they are cut along the width.
type tileRow struct {
	y       span
	columns []span
}

// mostUnevenRows is how many rows of an output [Stage.Tiles] takes, and mostUnevenColumns how many
// tiles a strip has then, at most.
const (
	mostUnevenRows    = 4096
	mostUnevenColumns = 16
)

// uneven cuts the output into at most count tiles such that the most bytes in use while any of them
// is made are fewest: a strip that is made while much else is in use has more of them than others.
func (e *emitter) uneven(count int) (list []tileRow) {
	out := &e.values[e.out]
	u := newUneven(out.h, out.w, e.tiled)
	u.start, u.more = e.beside()
	for _, c := range u.least(count) {
		y := span{c.from, c.from + c.height}
		list = append(list, tileRow{y, e.columns(y, c.columns)})
	}
	return list
}

// columns returns where a strip is cut into tiles.
func (e *emitter) columns(y span, count int) []span {
	out := &e.values[e.out]
	if count == 1 {
		return pieces(out.w, 1)
	}
	l := newLoad(out.w, count, func(x span) int64 { return e.breadth(e.plans(region{y, x})) })
	l.more = e.bytes(e.out, y.len())
	return l.balanced(count)
}

// tiled returns the most bytes of the tiles of a strip, counted on those at the edges and on the one
// that is made last of those between. Those of the strip that are made already are beside it.
func (e *emitter) tiled(y span, columns int) (most int64) {
	spans := pieces(e.values[e.out].w, columns)
	for _, k := range slices.Compact([]int{0, max(columns-2, 0), columns - 1}) {
		made := region{y, span{0, spans[k].from}}
		most = max(most, plus(e.breadth(e.plans(region{y, spans[k]})), e.bytes(e.out, made.area())))
	}
	return most
}

// An uneven is what strips of all heights and numbers of tiles take.
type uneven struct {
	rows, width int64
	// bytes returns the most bytes in use while some rows are made as so many tiles, and start is
	// what else there is while the first strip is made, and more how much more there is for each
	// row that a strip begins behind, which may be negative.
	bytes       func(y span, columns int) int64
	start, more int64
	// heights are those of strips, ascending.
	heights []int64
	// known are the bytes of a strip, plus 1, by where it stands, by its height and by its tiles; 0
	// where nobody asked.
	known [4][][mostUnevenColumns + 1]int64
}

func newUneven(rows, width int64, bytes func(y span, columns int) int64) *uneven {
	u := &uneven{rows: rows, width: width, bytes: bytes}
	for h := int64(1); h < rows; h += max(h/8, 1) {
		u.heights = append(u.heights, h)
	}
	u.heights = append(u.heights, rows)
	for k := range u.known {
		u.known[k] = make([][mostUnevenColumns + 1]int64, len(u.heights))
	}
	return u
}

// A cutting is how the rows from one on are cut: into a strip of a height and so many columns, and
// what is behind it as well as can be. Tiles are all of them, and most is the most bytes in use.
type cutting struct {
	from, height   int64
	tiles, columns int
	most           int64
}

// least returns the strips of at most count tiles for which the most bytes in use are fewest, and of
// these the fewest tiles.
func (u *uneven) least(count int) []cutting {
	best := u.within(math.MaxInt64)
	low, high := int64(0), best[0].most
	for low < high {
		limit := low + (high-low)/2
		if cuts := u.within(limit); cuts != nil && cuts[0].tiles <= count {
			best, high = cuts, cuts[0].most
		} else {
			low = limit + 1
		}
	}
	return best
}

// within cuts the rows into as few tiles as there can be none of which takes more than a limit in
// bytes, and returns the strips; nil where there is no such way.
func (u *uneven) within(limit int64) (strips []cutting) {
	const none = math.MaxInt32
	cuts := make([]cutting, u.rows+1) // the last one is where nothing is left to cut
	for y := u.rows - 1; y >= 0; y-- {
		best := &cuts[y]
		best.tiles = none
		for k := 0; k < len(u.heights) && y+u.heights[k] <= u.rows; k++ {
			rest := &cuts[y+u.heights[k]]
			for n := 1; n <= int(min(u.width, mostUnevenColumns)) && rest.tiles+n <= best.tiles; n++ {
				bytes := u.of(y, k, n)
				if bytes > limit {
					continue
				}
				if most := max(bytes, rest.most); rest.tiles+n < best.tiles || most < best.most {
					*best = cutting{from: y, height: u.heights[k], tiles: rest.tiles + n, columns: n, most: most}
				}
				break
			}
		}
	}
	if cuts[0].tiles >= none {
		return nil
	}
	for y := int64(0); y < u.rows; y += cuts[y].height {
		strips = append(strips, cuts[y])
	}
	return strips
}

// of returns the most bytes in use while a strip is made that begins at a row, has one of the heights
// and so many tiles. Strips of one height take the same wherever they stand, but for the edges.
func (u *uneven) of(y int64, height, columns int) int64 {
	h := u.heights[height]
	where, sample := 0, span{(u.rows - h) / 2, (u.rows-h)/2 + h}
	if y == 0 {
		where, sample = 1, span{0, h}
	}
	if y+h == u.rows {
		where, sample = where+2, span{u.rows - h, u.rows}
	}
	known := &u.known[where][height][columns]
	if *known == 0 {
		*known = plus(u.bytes(sample, columns), 1)
	}
	return plus(*known-1, max(u.start+u.more*y, 0))
}
