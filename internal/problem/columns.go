package problem

import (
	"fmt"
	"strings"
)

// A field is the meaning of a column.
type field int

const (
	fieldID field = iota
	fieldLower
	fieldUpper
	fieldEnd
	fieldSize
	fieldAlignment
	fieldGaps
	fieldOffset
	fieldHint
	fieldKnownAt
	fieldWidth
	fieldHeight
	fieldDepth
	fields
)

// meanings maps column names, in lower case, to fields.
var meanings = map[string]field{
	"id": fieldID, "buffer": fieldID, "buffer_id": fieldID,
	"lower": fieldLower, "begin": fieldLower, "start": fieldLower, "first_op": fieldLower,
	"upper": fieldUpper, "end": fieldEnd, "last_op": fieldEnd,
	"size": fieldSize, "size_bytes": fieldSize, "alignment": fieldAlignment, "gaps": fieldGaps,
	"offset": fieldOffset, "hint": fieldHint, "known_at": fieldKnownAt,
	"width": fieldWidth, "height": fieldHeight, "depth": fieldDepth,
}

// columns maps each field to its index in a row, or -1.
type columns struct {
	at   [fields]int
	name []string
}

// meaning returns the field of a header cell.
func meaning(cell string) (field, bool) {
	f, ok := meanings[strings.ToLower(strings.TrimSpace(cell))]
	return f, ok
}

// readHeader finds the columns by their names.
func readHeader(cells []string, line int) (columns, []string, error) {
	c := columns{name: cells}
	for f := range c.at {
		c.at[f] = -1
	}
	var unused []string
	for i, cell := range cells {
		f, ok := meaning(cell)
		switch {
		case !ok:
			unused = append(unused, cell)
		case c.at[f] >= 0:
			return c, nil, &Error{
				Line: line, Column: cell,
				Problem: fmt.Sprintf("means the same as column %q", cells[c.at[f]]),
			}
		default:
			c.at[f] = i
		}
	}
	return c, unused, c.complete(line)
}

// shaped reports whether the rows have shapes: a depth requires both others.
func (c *columns) shaped() bool { return c.at[fieldWidth] >= 0 && c.at[fieldHeight] >= 0 }

// complete reports a missing column, or two contradictory ones.
func (c *columns) complete(line int) error {
	if c.at[fieldUpper] >= 0 && c.at[fieldEnd] >= 0 {
		return &Error{Line: line, Problem: `both "upper" (exclusive) and "end" (inclusive): keep one of them`}
	}
	var missing []string
	for _, need := range []struct {
		have bool
		name string
	}{
		{c.at[fieldID] >= 0, "id (or buffer, buffer_id)"},
		{c.at[fieldLower] >= 0, "lower (or begin, start)"},
		{c.at[fieldUpper] >= 0 || c.at[fieldEnd] >= 0, "upper (or end)"},
		{c.at[fieldSize] >= 0 || c.shaped(), "size (or width and height)"},
	} {
		if !need.have {
			missing = append(missing, need.name)
		}
	}
	if missing != nil {
		return &Error{Line: line, Problem: "no column " + strings.Join(missing, ", ")}
	}
	return nil
}
