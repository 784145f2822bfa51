package problem

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tflarena/tflarena/lifetime"
)

// cellReader reads the cells of one row and keeps the first error.
type cellReader struct {
	columns   *columns
	cells     []string
	row, line int
	err       error
}

func (c *cellReader) record() lifetime.Record {
	r := lifetime.Record{ID: c.cells[c.columns.at[fieldID]], Align: 1}
	r.First = int(c.number(fieldLower, math.MinInt+1, math.MaxInt-1))
	if c.has(fieldUpper) {
		upper := c.number(fieldUpper, math.MinInt+2, math.MaxInt)
		c.check(int(upper) > r.First, fieldUpper, "%d is not after the beginning %d: the life [%d, %d) is empty", upper, r.First, r.First, upper)
		r.Last = int(upper) - 1
	} else {
		r.Last = int(c.number(fieldEnd, math.MinInt+1, math.MaxInt-1))
		c.check(r.Last >= r.First, fieldEnd, "%d is before the beginning %d", r.Last, r.First)
	}
	r.Size = c.size()
	if c.text(fieldAlignment) != "" {
		r.Align = c.number(fieldAlignment, 1, lifetime.MaxTotal)
	}
	if c.text(fieldOffset) != "" {
		r.Pinned, r.Offset = true, c.number(fieldOffset, 0, lifetime.MaxTotal)
		c.check(r.Offset%max(r.Align, 1) == 0, fieldOffset, "%d is not a multiple of the alignment %d", r.Offset, r.Align)
	}
	r.Gaps = c.gaps(r)
	return r
}

// knownAt returns the position at which the size of a record becomes known.
func (c *cellReader) knownAt(r lifetime.Record) int {
	if c.text(fieldKnownAt) == "" {
		return FromStart
	}
	at := int(c.number(fieldKnownAt, math.MinInt+1, math.MaxInt-1))
	c.check(at <= r.First, fieldKnownAt, "%d is after the beginning %d: a buffer has to be placed when it begins", at, r.First)
	return at
}

func (c *cellReader) has(f field) bool { return c.columns.at[f] >= 0 }

// text returns the trimmed cell, "" without such a column.
func (c *cellReader) text(f field) string {
	if !c.has(f) {
		return ""
	}
	return strings.TrimSpace(c.cells[c.columns.at[f]])
}

// number reads an integer between least and most, both inclusive.
func (c *cellReader) number(f field, least, most int64) int64 {
	text := c.text(f)
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		c.check(false, f, "%s does not fit in 64 bits", text)
	case err != nil:
		c.check(false, f, "%q is not a whole number", text)
	default:
		c.check(least <= n && n <= most, f, "%d is not between %d and %d", n, least, most)
	}
	return n
}

func (c *cellReader) check(ok bool, f field, format string, args ...any) {
	if !ok && c.err == nil {
		c.err = &Error{Row: c.row, Line: c.line, Column: c.columns.name[c.columns.at[f]], Problem: fmt.Sprintf(format, args...)}
	}
}
