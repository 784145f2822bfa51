// Package tables lays out one table in three ways: as text for people, as Markdown for a page and as
// CSV for programs. Text has one binary scale for each column, and long names are cut in the middle.
// CSV has plain integers and whole names.
package tables

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/units"
)

// A Kind is the kind of a column's cells.
type Kind int

// Kinds of columns. A cell of the wrong type is written unchanged, so that a note such as "-" can
// replace a missing number.
const (
	// Text is left-aligned and keeps its full length.
	Text Kind = iota
	// Name is text that may be cut in the middle if the table is too wide.
	Name
	// Number is an int or int64, written exactly.
	Number
	// Bytes is an int64: exact bytes, and the same in the column's common scale.
	Bytes
	// Scaled is an int64 of bytes, written only in the column's common scale.
	Scaled
	// Right is text that is aligned like numbers.
	Right
)

// A Column describes the cells below one head.
type Column struct {
	// Head is the title in text, Key the title in CSV. CSV omits a column without a Key, and text a
	// column with only a Key or with only empty text.
	Head, Key string
	Kind      Kind
	// Rank is the order in which text drops columns that do not fit: the highest rank first. A column
	// of rank 1 is dropped only if names would be indistinguishable with it, and one of rank 0 never.
	Rank int
}

// A Table is rows of cells, one for each column.
type Table struct {
	Columns []Column
	Rows    []Row
}

// A Row has the cells of a row, and its style.
type Row struct {
	Cells []any
	// Paint, when set, colours the cells of the row in text.
	Paint func(string) string
	// Summary reports that the row summarises dropped rows; CSV and Markdown, which drop none, omit it.
	Summary bool
}

// Add appends a row of cells, one for each column, and returns it.
//
//go:noinline
func (t *Table) Add(cells ...any) *Row {
	t.Rows = append(t.Rows, Row{Cells: cells})
	return &t.Rows[len(t.Rows)-1]
}

// Layout configures the layout of a table as text.
type Layout struct {
	// Width is the largest number of characters of a line; 0 means no limit. Text cuts names and drops
	// columns to keep within it.
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
