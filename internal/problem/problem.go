// Package problem reads and writes planning problems as CSV in MiniMalloc's format (Moffitt 2023),
// which has a header row and then one row for each buffer; columns are found by name.
//
// It is the only place that converts half-open to inclusive: the lifetime of a row is [lower, upper),
// the lifetime of a record [First, Last] with Last = upper-1. A column "end", in older files, is
// already inclusive. IDs are distinct. Gaps are like the lifetime that they interrupt: half-open with "upper", inclusive
// with "end".
//
// A column "known_at" has the position at which the size of a buffer becomes known, inclusive like
// "lower"; an empty cell means that it is known from the start.
//
// Columns "width", "height" and perhaps "depth" make a buffer a texture. Its size is then the product,
// in elements, unless there is a column "size" in bytes, which has to be the same multiple of the
// product in every row.
//
// A column "hint" suggests a place for a buffer. It is kept when a problem is written, and ignored
// here.
package problem

import (
	"errors"
	"fmt"
	"math"

	"github.com/tflarena/tflarena/alloc/texture"
	"github.com/tflarena/tflarena/lifetime"
)

// ErrInvalid is wrapped by every [Error]: the text is not a valid problem.
var ErrInvalid = errors.New("not a valid CSV problem")

// FromStart marks a size that is known from the start, as in package alloc/late.
const FromStart = math.MinInt

// An Error is an invalid cell, row or header of a problem.
type Error struct {
	// Row counts the rows below the header from 1; 0 is the header. Line counts
	// the lines of the file from 1; 0 is the file as a whole.
	Row, Line int
	// Column is the name of the column as in the header, or empty.
	Column string
	// Problem describes the error.
	Problem string
}

// Error returns "row ROW (line LINE), column COLUMN: PROBLEM".
func (e *Error) Error() string {
	column := ""
	if e.Column != "" {
		column = fmt.Sprintf(", column %q", e.Column)
	}
	switch {
	case e.Line == 0:
		return e.Problem
	case e.Row == 0:
		return fmt.Sprintf("header (line %d)%s: %s", e.Line, column, e.Problem)
	}
	return fmt.Sprintf("row %d (line %d)%s: %s", e.Row, e.Line, column, e.Problem)
}

// Unwrap returns [ErrInvalid].
func (e *Error) Unwrap() error { return ErrInvalid }

// A Problem is a CSV problem with its own text, which [Problem.WithOffsets] keeps.
type Problem struct {
	// Records has one record per row, in row order. Times are inclusive; alignments are 1 without a
	// column or for an empty cell; gaps are sorted by time.
	Records []lifetime.Record
	// KnownAt has the position, inclusive, at which the size of each record becomes known: [FromStart]
	// for an empty cell. It is nil without such a column.
	KnownAt []int
	// Shapes has the width, the height and perhaps the depth of each record; it is nil without such
	// columns. ElementBytes is the size of one element: 1 if the file has no other sizes.
	Shapes       []texture.Shape
	ElementBytes int64
	// HasAlignment reports that the file has an alignment column.
	HasAlignment bool
	// InclusiveEnd is the name of the column "end", which other programs may mean as exclusive, or "".
	InclusiveEnd string
	// Unused lists the columns without a meaning, as in the header.
	Unused []string

	data   []byte
	header span
	rows   []row
	// offsetColumn is the index of the offset column, or -1.
	offsetColumn int
}

// A span is a range of bytes of the text, [start, end).
type span struct{ start, end int }

// A row is the range of a row in the text, and of its offset cell, if any.
type row struct{ all, offset span }
