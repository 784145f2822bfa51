package fit

import (
	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
	"github.com/tflarena/tflarena/rewrite/fit/internal/route"
)

// Limits rise from the lowest peak by rise until a path is found; halvings more are then tried
// between the last two. allLinks is the maximum number of link plans searched for all of them.
const (
	rise     = 0.04
	halvings = 4
	allLinks = 1500
	// share is the divisor of the remaining link plans for one limit if parts leave room.
	share = 3
	// margin is the divisor of a limit that parts must leave free if too many paths have parts
	// that need nearly all of it.
	margin = 16
)

// descent searches for the lowest limit, in bytes, with a path whose parts have compatible
// plans.
type descent struct {
	choice *choice
	// left is the number of link plans that may still be searched.
	left int
	// first is the part of left for the first limit, zero for all. If it is exceeded, no
	// further limit is tried.
	first int
	// roomy excludes parts that need nearly all of a limit.
	roomy bool
	// found is the last path found, within limit, or nil.
	found *parts.Path
	limit int64
}

// leastWithRoom returns the lowest limit in which a part of the given bytes leaves room.
func leastWithRoom(bytes int64) int64 {
	return parts.RoundUp((bytes*margin + margin - 2) / (margin - 1))
}

// from raises the limit from low to most until a path is found, then lowers it again.
func (d *descent) from(low, most int64) {
	high := low
	for step := rise; !d.try(min(high, most)) && high < most && d.left > 0; step *= 2 {
		low, high = high+1, max(high+parts.Align, int64(float64(high)*(1+step))/parts.Align*parts.Align)
	}
	for range halvings {
		if middle := (low + (d.limit-low)/2) / parts.Align * parts.Align; d.found != nil && low <= middle && middle < d.limit && !d.try(middle) {
			low = middle + 1
		}
	}
}

// try searches for a path within a limit.
func (d *descent) try(at int64) bool {
	links, peak := d.left, at
	switch {
	case d.roomy:
		links /= share
		peak -= at / margin
	case d.first > 0:
		links = d.first
	}
	c := d.choice
	r := c.links.Router(c.ctx, route.Budget{Limit: at, Peak: peak, Plans: links})
	p, ok := c.by(c.prices(), r)
	if ok {
		d.found, d.limit = &p, at
	}
	if d.left -= links - r.Left(); d.first > 0 && r.Left() <= 0 {
		d.left = 0
	}
	d.first = 0
	return ok
}
