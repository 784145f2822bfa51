package split

import (
	"math"

	"golang.org/x/exp/slices"
)

// tileRow is a strip of the output and its split along the width.
type tileRow struct {
	y       span
	columns []span
}

// mostUnevenRows is the maximum number of output rows for [Stage.Tiles], mostUnevenColumns the
// maximum number of tiles in a strip.
const (
	mostUnevenRows    = 4096
	mostUnevenColumns = 16
)

// uneven splits the output into at most count tiles that minimise the peak bytes in use: strips
// computed while much else is live get more tiles.
func (e *emitter) uneven(count int) (list []tileRow) {
	out := &e.values[e.out]
	u := newUneven(out.h, out.w, e.tiled)
	u.start, u.more = e.otherBytes()
	for _, c := range u.least(count) {
		y := span{c.from, c.from + c.height}
		list = append(list, tileRow{y, e.columns(y, c.columns)})
	}
	return list
}

// columns returns the split of a strip into tiles.
func (e *emitter) columns(y span, count int) []span {
	out := &e.values[e.out]
	if count == 1 {
		return pieces(out.w, 1)
	}
	l := newLoad(out.w, count, func(x span) int64 { return e.breadth(e.plans(region{y, x})) })
	l.more = e.bytes(e.out, y.len())
	return l.balanced(count)
}

// tiled returns the peak bytes of a strip's tiles, estimated from the tiles at the edges and
// the last inner one. Finished tiles of the strip are included.
func (e *emitter) tiled(y span, columns int) (most int64) {
	spans := pieces(e.values[e.out].w, columns)
	for _, k := range slices.Compact([]int{0, max(columns-2, 0), columns - 1}) {
		made := region{y, span{0, spans[k].from}}
		most = max(most, saturatingAdd(e.breadth(e.plans(region{y, spans[k]})), e.bytes(e.out, made.area())))
	}
	return most
}

// uneven models the bytes in use for strips of all heights and numbers of tiles.
type uneven struct {
	rows, width int64
	// bytes returns the peak bytes in use while some rows are computed as the given number of
	// tiles. start is the number of other bytes in use during the first strip. more is the
	// increase for each row before a strip's start; it may be negative.
	bytes       func(y span, columns int) int64
	start, more int64
	// heights are the candidate strip heights, ascending.
	heights []int64
	// cache caches the bytes of a strip, plus 1, by position, height and number of tiles; 0
	// means not computed.
	cache [4][][mostUnevenColumns + 1]int64
}

func newUneven(rows, width int64, bytes func(y span, columns int) int64) *uneven {
	u := &uneven{rows: rows, width: width, bytes: bytes}
	for h := int64(1); h < rows; h += max(h/8, 1) {
		u.heights = append(u.heights, h)
	}
	u.heights = append(u.heights, rows)
	for k := range u.cache {
		u.cache[k] = make([][mostUnevenColumns + 1]int64, len(u.heights))
	}
	return u
}

// rowSplit is the split of the rows from one on: a first strip with its height and columns,
// followed by the best split of the rest. tiles counts all tiles, peak is the peak bytes in
// use.
type rowSplit struct {
	from, height   int64
	tiles, columns int
	peak           int64
}

// least returns the strips of at most count tiles with the lowest peak bytes, and among these
// the fewest tiles.
func (u *uneven) least(count int) []rowSplit {
	best := u.within(math.MaxInt64)
	low, high := int64(0), best[0].peak
	for low < high {
		limit := low + (high-low)/2
		if cuts := u.within(limit); cuts != nil && cuts[0].tiles <= count {
			best, high = cuts, cuts[0].peak
		} else {
			low = limit + 1
		}
	}
	return best
}

// within splits the rows into the fewest tiles that each take at most limit bytes. It returns
// nil if that is impossible.
func (u *uneven) within(limit int64) (strips []rowSplit) {
	const none = math.MaxInt32
	cuts := make([]rowSplit, u.rows+1) // the last one has no rows left
	for y := u.rows - 1; y >= 0; y-- {
		best := &cuts[y]
		best.tiles = none
		for k := 0; k < len(u.heights) && y+u.heights[k] <= u.rows; k++ {
			rest := &cuts[y+u.heights[k]]
			for n := 1; n <= int(min(u.width, mostUnevenColumns)) && rest.tiles+n <= best.tiles; n++ {
				bytes := u.stripBytes(y, k, n)
				if bytes > limit {
					continue
				}
				if most := max(bytes, rest.peak); rest.tiles+n < best.tiles || most < best.peak {
					*best = rowSplit{from: y, height: u.heights[k], tiles: rest.tiles + n, columns: n, peak: most}
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

// stripBytes returns the peak bytes in use for a strip at row y with the given height index and number
// of tiles. Except at the edges, the position does not matter.
func (u *uneven) stripBytes(y int64, height, columns int) int64 {
	h := u.heights[height]
	where, sample := 0, span{(u.rows - h) / 2, (u.rows-h)/2 + h}
	if y == 0 {
		where, sample = 1, span{0, h}
	}
	if y+h == u.rows {
		where, sample = where+2, span{u.rows - h, u.rows}
	}
	known := &u.cache[where][height][columns]
	if *known == 0 {
		*known = saturatingAdd(u.bytes(sample, columns), 1)
	}
	return saturatingAdd(*known-1, max(u.start+u.more*y, 0))
}
