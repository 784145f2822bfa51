package route

import (
	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
)

// Links are the parts that paths are made of, with what is known of their links of a memory
// plan whatever the limit. Many routers may use them, one after the other.
type Links struct {
	row   *parts.Row
	parts []parts.Part
	made  map[int]*inplace.Link
	// fits are limits within which the link of a part fits by itself, and fails those
	// within which it does not.
	fits, fails map[int]int64
}

// New returns the links of parts, which are not to be changed any more.
func New(row *parts.Row, list []parts.Part) *Links {
	return &Links{row: row, parts: list, made: map[int]*inplace.Link{}, fits: map[int]int64{}, fails: map[int]int64{}}
}

// Parts returns the parts, which are not to be changed.
func (l *Links) Parts() []parts.Part { return l.parts }

// of returns the link of a part, nil where it cannot be made.
func (l *Links) of(k int) *inplace.Link {
	link, ok := l.made[k]
	if !ok {
		link, _ = l.parts[k].By.Link() // what cannot be cut is no part
		l.made[k] = link
	}
	return link
}

// fit reports whether a link fits within a limit, as far as that is known.
func (l *Links) fit(k int, limit int64) (fits, known bool) {
	if at, ok := l.fits[k]; ok && at <= limit {
		return true, true
	}
	at, ok := l.fails[k]
	return false, ok && at >= limit
}

// note keeps whether a link fits by itself within a limit.
func (l *Links) note(k int, limit int64, fits bool) {
	if fits {
		l.fits[k] = limit
	} else {
		l.fails[k] = limit
	}
}
