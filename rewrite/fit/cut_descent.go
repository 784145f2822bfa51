package fit

import (
	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
	"github.com/tflarena/tflarena/rewrite/fit/internal/route"
)

// Limits rise from the least peak until there is a path, then there are so many more between
// the last two; for all of them together so many plans of links are looked for.
const (
	rise     = 0.04
	halvings = 4
	allLinks = 1500
	// share is what part of those that are left one limit may take where parts leave room.
	share = 3
	// margin is what part of a limit parts have to leave free where there were too many
	// paths of parts that nearly need all of it.
	margin = 16
)

// A descent looks for the least limit, in bytes, within which there is a path whose parts have
// plans that fit to each other.
type descent struct {
	choice *choice
	// left is how many plans of links may be looked for yet.
	left int
	// first is how many of them there are for the first limit, zero for all: where they are
	// not enough no further limit is tried.
	first int
	// roomy leaves parts out that nearly need all of a limit.
	roomy bool
	// found is the last path, within limit; nil for none.
	found *parts.Path
	limit int64
}

// leastWithRoom returns the least limit within which a part of so many bytes leaves room.
func leastWithRoom(bytes int64) int64 {
	return parts.RoundUp((bytes*margin + margin - 2) / (margin - 1))
}

// from goes up from a limit to the most until there is a path, and down again.
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

// try looks for a path within a limit.
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
