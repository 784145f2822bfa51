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

// An Error says what is wrong with a file, and where.
type Error struct {
	// File says which of the files it is: "memory profile", "time profile", "malloc file",
	// "dependency file" or "layout".
	File string
	// Line counts from 1, and Column the cells of the line from 1. Zero means that the problem is
	// not in one line or one cell. Name is the name of the column, if it has one.
	Line, Column int
	Name         string
	Problem      string
}

// Error returns one sentence with the place and the problem.
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
