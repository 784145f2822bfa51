// Package columns reads CSV whose header row names its columns.
package columns

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/exp/slices"
)

// Open reads the header row of CSV. It returns a reader of the other rows, and the index of each named column in
// them, -1 for one that is missing. Columns may be in any order, in upper or lower case, and more than the named ones.
// The first required ones must be there. Lines that begin with # are comments.
func Open(data []byte, required int, names ...string) (rows *csv.Reader, at []int, err error) {
	rows = csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))) // a spreadsheet's byte order mark
	rows.TrimLeadingSpace, rows.Comment = true, '#'
	header := "the header row is " + strings.Join(names[:required], ",")
	cells, err := rows.Read()
	if errors.Is(err, io.EOF) {
		return nil, nil, errors.New("the file is empty: " + header)
	}
	if err != nil {
		return nil, nil, err
	}
	for i, cell := range cells {
		cells[i] = strings.ToLower(strings.TrimSpace(cell))
	}
	for i, name := range names {
		at = append(at, slices.Index(cells, name))
		if at[i] < 0 && i < required {
			line, _ := rows.FieldPos(0)
			return nil, nil, fmt.Errorf("line %d: no column %q: %s", line, name, header)
		}
	}
	return rows, at, nil
}
