// Package tables lays out one table in three ways: as text for people, as Markdown for a
// page and as CSV for programs. People see one binary scale for each column, and long names
// are cut in the middle. Programs see plain integers and whole names.
package tables

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/units"
)

// A Kind says what the cells of a column are.
type Kind int

// The kinds of columns. A cell of the wrong type is written as it is, so that a
// note such as "-" may stand for a missing number.
const (
	// Text is left-aligned and keeps its full length.
	Text Kind = iota
	// Name is text that may be cut in the middle where the table is too wide.
	Name
	// Number is an int or int64, written exactly.
	Number
	// Bytes is an int64: exact bytes, and the same in the column's common scale.
	Bytes
	// Scaled is an int64 of bytes, written in the column's common scale alone.
	Scaled
	// Right is text that is aligned like numbers.
	Right
)

// A Column describes the cells below one head.
type Column struct {
	// Head is what people read, Key what programs read. A column without a Key is
	// left out of CSV, one with a Key alone out of text, and so is one of text that
	// is empty in every row.
	Head, Key string
	Kind      Kind
	// Rank says which columns are left out first where text is too wide for its lines:
	// those of the highest rank. A column of rank 1 goes only where names could not be told
	// apart with it, and one of rank 0 never.
	Rank int
}

// A Table is rows of cells, one for each column.
type Table struct {
	Columns []Column
	Rows    []Row
}

// A Row has the cells of a row, and what sets the row apart from others.
type Row struct {
	Cells []any
	// Paint, when set, colours the cells of the row in text.
	Paint func(string) string
	// Summary says that the row stands for rows that were left out; CSV and
	// Markdown, which leave nothing out, do not have it.
	Summary bool
}

// Add appends a row of cells, one for each column, and returns it.
func (t *Table) Add(cells ...any) *Row {
	t.Rows = append(t.Rows, Row{Cells: cells})
	return &t.Rows[len(t.Rows)-1]
}

// Layout says how a table is laid out as text.
type Layout struct {
	// Width is the number of characters a line may have; 0 means any number. Text cuts
	// names and leaves columns out to keep within it.
	Width int
	// Plain writes byte counts as plain integers, without commas and scales.
	Plain bool
}

// scale returns the common scale of a column of byte counts.
func (t *Table) scale(column int) units.Scale {
	var values []int64
	for _, row := range t.Rows {
		if n, ok := row.Cells[column].(int64); ok {
			values = append(values, n)
		}
	}
	return units.CommonScale(values...)
}

// Top returns the indexes of the n largest sizes, largest first and equal ones in
// order, and the rest in order.
func Top(sizes []int64, n int) (top, rest []int) {
	order := make([]int, len(sizes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case sizes[a] > sizes[b]:
			return -1
		case sizes[a] < sizes[b]:
			return 1
		}
		return 0
	})
	if n > len(order) || n < 0 {
		n = len(order)
	}
	top, rest = order[:n], order[n:]
	slices.Sort(rest)
	return top, rest
}
