package flexnn

import (
	"fmt"
	"strings"
)

// The names of the files in an [Error].
const (
	MemoryProfile = "memory profile"
	TimeProfile   = "time profile"
)

// An Error describes an invalid file.
type Error struct {
	// File is "memory profile", "time profile", "malloc file", "dependency file" or "layout".
	File string
	// Line and Column, a cell of the line, count from 1; zero means that the problem has no single
	// place. Name is the name of the column, if it has one.
	Line, Column int
	Name         string
	Problem      string
}

// Error returns "FILE, row LINE, column COLUMN (NAME): PROBLEM", without parts that are not set.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ", row %d", e.Line)
	}
	if e.Column > 0 {
		fmt.Fprintf(&b, ", column %d", e.Column)
	}
	if e.Name != "" {
		fmt.Fprintf(&b, " (%s)", e.Name)
	}
	return b.String() + ": " + e.Problem
}
