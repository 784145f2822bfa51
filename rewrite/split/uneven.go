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

// mostUnevenHeights is the maximum number of rows, or of groups of equally many rows, of which the strips
// for [Stage.Tiles] are made. mostUnevenColumns is the maximum number of tiles in a strip.
const (
	mostUnevenHeights = 512
	mostUnevenColumns = 16
)

// uneven splits the output into at most count tiles that minimise the peak bytes in use: strips
// computed while much else is live get more tiles.
func (e *emitter) uneven(count int) (list []tileRow) {
	out := &e.values[e.out]
	u := newUneven(out.h, out.w, mostUnevenHeights, e.tiled)
	u.start, u.more = e.otherBytes()
	for _, c := range u.least(count) {
		list = append(list, tileRow{c.y, e.columns(c.y, c.columns)})
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
	// step is the number of rows in a group; strips begin where groups do. groups is the number of groups,
	// of which the last one may be smaller.
	step, groups int64
	// bytes returns the peak bytes in use while some rows are computed as the given number of
	// tiles. start is the number of other bytes in use during the first strip. more is the
	// increase for each row before a strip's start; it may be negative.
	bytes       func(y span, columns int) int64
	start, more int64
	// heights are the candidate strip heights in groups, ascending.
	heights []int64
	// cache caches the bytes of a strip, plus 1, by position, height and number of tiles; 0
	// means not computed.
	cache [4][][mostUnevenColumns + 1]int64
}

func newUneven(rows, width, groups int64, bytes func(y span, columns int) int64) *uneven {
	u := &uneven{rows: rows, width: width, step: ceilDiv(rows, groups), bytes: bytes}
	u.groups = ceilDiv(rows, u.step)
	for h := int64(1); h < u.groups; h += max(h/8, 1) {
		u.heights = append(u.heights, h)
	}
	u.heights = append(u.heights, u.groups)
	for k := range u.cache {
		u.cache[k] = make([][mostUnevenColumns + 1]int64, len(u.heights))
	}
	return u
}

// strip returns the rows of the strip of some groups.
func (u *uneven) strip(group, height int64) span {
	return span{group * u.step, min((group+height)*u.step, u.rows)}
}

// rowSplit is the split of the rows from one on: a first strip with its rows, the group after it and its
// columns, followed by the best split of the rest. tiles counts all tiles, peak is the peak bytes in
// use.
type rowSplit struct {
	y              span
	next           int64
	tiles, columns int
	peak           int64
}

// least returns the strips of at most count tiles with the lowest peak bytes, and among these
// the fewest tiles.
func (u *uneven) least(count int) []rowSplit {
	best, _ := u.within(math.MaxInt64)
	low, high := int64(0), best[0].peak
	for low < high {
		limit := low + (high-low)/2
		cuts, more := u.within(limit)
		if cuts != nil && cuts[0].tiles <= count {
			best, high = cuts, cuts[0].peak
		} else {
			low = more
		}
	}
	return best
}

// within splits the rows into the fewest tiles that each take at most limit bytes, or returns no strips if
// that is impossible. For all limits from this one to below more, the result is the same.
func (u *uneven) within(limit int64) (strips []rowSplit, more int64) {
	const none = math.MaxInt32
	more = math.MaxInt64
	cuts := make([]rowSplit, u.groups+1) // the last one has no rows left
	for g := u.groups - 1; g >= 0; g-- {
		best := &cuts[g]
		best.tiles = none
		for k := 0; k < len(u.heights) && g+u.heights[k] <= u.groups; k++ {
			next := g + u.heights[k]
			rest := &cuts[next]
			for n := 1; n <= int(min(u.width, mostUnevenColumns)) && rest.tiles+n <= best.tiles; n++ {
				bytes := u.stripBytes(g, k, n)
				if bytes > limit {
					more = min(more, bytes)
					continue
				}
				if most := max(bytes, rest.peak); rest.tiles+n < best.tiles || most < best.peak {
					*best = rowSplit{y: u.strip(g, u.heights[k]), next: next, tiles: rest.tiles + n, columns: n, peak: most}
				}
				break
			}
		}
	}
	if cuts[0].tiles >= none {
		return nil, more
	}
	for g := int64(0); g < u.groups; g = cuts[g].next {
		strips = append(strips, cuts[g])
	}
	return strips, more
}

// stripBytes returns the peak bytes in use for a strip from a group on with the given height index and number
// of tiles. Except at the edges, the position does not matter.
func (u *uneven) stripBytes(group int64, height, columns int) int64 {
	y := u.strip(group, u.heights[height])
	where, sample := 0, span{(u.rows - y.len()) / 2, (u.rows-y.len())/2 + y.len()}
	if group == 0 {
		where, sample = 1, y
	}
	if y.to == u.rows {
		where, sample = where+2, y
	}
	known := &u.cache[where][height][columns]
	if *known == 0 {
		*known = saturatingAdd(u.bytes(sample, columns), 1)
	}
	return saturatingAdd(*known-1, max(u.start+u.more*y.from, 0))
}
