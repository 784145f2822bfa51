// Package problem reads and writes planning problems as CSV in the form of MiniMalloc
// (Moffitt 2023), which has a header row and then one row for each buffer; columns are
// found by name.
//
// It is the one place where half-open becomes inclusive: the life of a row is [lower,
// upper), the life of a record [First, Last] with Last = upper-1. A column "end", which
// older files have, is inclusive already. Gaps are like the life that they interrupt:
// half-open beside "upper", inclusive beside "end".
//
// A column "known_at" has the position at which the size of a buffer becomes known, inclusive
// as "lower" is; an empty cell says that it is known from the start.
//
// Columns "width", "height" and perhaps "depth" say that a buffer is a texture. Its size is then
// the product, in elements, unless there is a column "size" in bytes, which has to be the same
// multiple of the product in every row.
//
// A column "hint" says where a buffer might go. It is kept when a problem is written, and
// has no meaning here.
package problem

import (
	"errors"
	"fmt"
	"math"

	"github.com/tflarena/tflarena/alloc/texture"
	"github.com/tflarena/tflarena/lifetime"
)

// ErrInvalid is what every [Error] unwraps to: the text is not a valid problem.
var ErrInvalid = errors.New("not a valid CSV problem")

// FromStart stands for a size that is known from the start, as in package alloc/late.
const FromStart = math.MinInt

// An Error says what is wrong with a problem and where.
type Error struct {
	// Row counts the rows below the header from 1; 0 is the header. Line counts
	// the lines of the file from 1; 0 is the file as a whole.
	Row, Line int
	// Column is the name of the column as the header has it, or empty.
	Column string
	// Problem says what is wrong.
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
	// Records has one record a row, in the order of rows. Times are those of the
	// file, made inclusive; alignments are 1 where the file has none,
	// or an empty cell; gaps are in order of time, in whichever order the file has them.
	Records []lifetime.Record
	// KnownAt has the position, inclusive, at which the size of each record becomes known:
	// [FromStart] where the cell is empty. It is nil where the file has no such column.
	KnownAt []int
	// Shapes has the width, the height and perhaps the depth of each record; it is nil where the
	// file has no such columns. ElementBytes is the size of one element: 1 where the file has no
	// sizes besides.
	Shapes       []texture.Shape
	ElementBytes int64
	// HasAlignment says that the file has an alignment column.
	HasAlignment bool
	// Unused lists the columns that no rule gives a meaning, as the header has them.
	Unused []string

	data   []byte
	header span
	rows   []row
	// offsetColumn is the place of the offset column, or -1.
	offsetColumn int
}

// A span is a range of bytes of the text, [start, end).
type span struct{ start, end int }

// A row is where a row stands in the text, and its offset cell when it has one.
type row struct{ all, offset span }
