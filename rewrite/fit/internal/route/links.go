package route

import (
	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
)

// Links holds the parts of paths, with everything known about their links of a memory plan,
// independent of the limit. Several routers may use it, one after the other.
type Links struct {
	row   *parts.Row
	parts []parts.Part
	made  map[int]*inplace.Link
	// fits and fails hold limits within which the link of a part alone is known to fit or not
	// to fit.
	fits, fails map[int]int64
}

// New returns the links of parts, which must not be changed afterwards.
func New(row *parts.Row, list []parts.Part) *Links {
	return &Links{row: row, parts: list, made: map[int]*inplace.Link{}, fits: map[int]int64{}, fails: map[int]int64{}}
}

// Parts returns the parts; the caller must not change them.
func (l *Links) Parts() []parts.Part { return l.parts }

// of returns the link of a part, or nil if it cannot be made.
func (l *Links) of(k int) *inplace.Link {
	link, ok := l.made[k]
	if !ok {
		link, _ = l.parts[k].By.Link() // parts that cannot be tiled are excluded
		l.made[k] = link
	}
	return link
}

// fit reports whether a link fits within a limit, and whether that is known.
func (l *Links) fit(k int, limit int64) (fits, known bool) {
	if at, ok := l.fits[k]; ok && at <= limit {
		return true, true
	}
	at, ok := l.fails[k]
	return false, ok && at >= limit
}

// note records whether a link alone fits within a limit.
func (l *Links) note(k int, limit int64, fits bool) {
	if fits {
		l.fits[k] = limit
	} else {
		l.fails[k] = limit
	}
}
