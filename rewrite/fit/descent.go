package fit

// Limits rise from the least peak until there is a path, then there are so many more between
// the last two; for all of them together so many plans of links are looked for.
const (
	rise     = 0.04
	halvings = 4
	allLinks = 1500
	// sharePart is what part of those that are left one limit may take where edges leave room.
	sharePart = 3
	// roomPart is what part of a limit edges have to leave free where there were too many
	// paths of edges that nearly need all of it.
	roomPart = 16
)

// A descent looks for the least limit, in bytes, within which there is a path whose parts have
// plans that fit to each other.
type descent struct {
	*choice
	// left is how many plans of links may be looked for yet.
	left int
	// first is how many of them there are for the first limit, zero for all: where they are
	// not enough no further limit is tried.
	first int
	// roomy leaves edges out that nearly need all of a limit.
	roomy bool
	// found is the last path, within limit; nil for none.
	found *point
	limit int64
}

// leastWithRoom returns the least limit within which an edge of so many bytes leaves room.
func leastWithRoom(bytes int64) int64 {
	return roundUp((bytes*roomPart + roomPart - 2) / (roomPart - 1))
}

// from goes up from a limit to the most until there is a path, and down again.
func (d *descent) from(low, most int64) {
	high := low
	for step := rise; !d.try(min(high, most)) && high < most && d.left > 0; step *= 2 {
		low, high = high+1, max(high+align, int64(float64(high)*(1+step))/align*align)
	}
	for range halvings {
		if middle := (low + (d.limit-low)/2) / align * align; d.found != nil && low <= middle && middle < d.limit && !d.try(middle) {
			low = middle + 1
		}
	}
}

// try looks for a path within a limit.
func (d *descent) try(at int64) bool {
	links := d.left
	switch {
	case d.roomy:
		links /= sharePart
	case d.first > 0:
		links = d.first
	}
	t := newRouter(d.ctx, d.row, d.known, at, links)
	if d.roomy {
		t.most = at - at/roomPart
	}
	p, ok := d.by(d.prices(), t)
	if ok {
		d.found, d.limit = &p, at
	}
	if d.left -= links - t.left; d.first > 0 && t.left <= 0 {
		d.left = 0
	}
	d.first = 0
	return ok
}
