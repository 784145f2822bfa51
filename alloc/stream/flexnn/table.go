package flexnn

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/tflarena/tflarena/alloc/stream/network"
)

// A table reads the rows of a CSV file, and finds columns by name.
type table struct {
	file    string
	csv     *csv.Reader
	columns map[string]int
	cells   []string
	line    int
}

// openTable reads the header, which must have all columns.
func openTable(file string, data []byte, columns ...string) (*table, error) {
	t := &table{file: file, csv: csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))}
	t.csv.Comment, t.csv.FieldsPerRecord, t.csv.TrimLeadingSpace = '#', -1, true
	if err := t.next(); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, &Error{File: file, Problem: "the file is empty: it needs a header row with " + strings.Join(columns, ", ")}
		}
		return nil, err
	}
	t.columns = map[string]int{}
	for i, name := range t.cells {
		name = strings.TrimSpace(name)
		if _, twice := t.columns[name]; twice {
			return nil, &Error{File: file, Line: t.line, Column: i + 1, Name: name, Problem: "two columns have this name"}
		}
		t.columns[name] = i
	}
	for _, name := range columns {
		if _, ok := t.columns[name]; !ok {
			return nil, &Error{File: file, Line: t.line, Problem: "the header has no column " + name}
		}
	}
	return t, nil
}

// next reads the next row. At the end, it returns io.EOF.
func (t *table) next() error {
	cells, err := t.csv.Read()
	if errors.Is(err, io.EOF) {
		return err
	}
	if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
		return &Error{File: t.file, Line: parse.Line, Problem: parse.Err.Error()}
	}
	if err != nil {
		return &Error{File: t.file, Problem: err.Error()}
	}
	t.cells = cells
	t.line, _ = t.csv.FieldPos(0)
	if t.columns != nil && len(cells) != len(t.columns) {
		return &Error{File: t.file, Line: t.line, Problem: fmt.Sprintf("%d cells, but the header has %d", len(cells), len(t.columns))}
	}
	return nil
}

func (t *table) cell(column string) string { return strings.TrimSpace(t.cells[t.columns[column]]) }

// wrong returns an error about one cell of the row.
func (t *table) wrong(column, format string, args ...any) error {
	return &Error{File: t.file, Line: t.line, Column: t.columns[column] + 1, Name: column, Problem: fmt.Sprintf(format, args...)}
}

// number reads a cell as an integer in [least, most].
func (t *table) number(column string, least, most int64) (int64, error) {
	v, err := strconv.ParseInt(t.cell(column), 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, t.wrong(column, "%s is too large", t.cell(column))
	case err != nil:
		return 0, t.wrong(column, "%q is not an integer", t.cell(column))
	case v < least:
		return 0, t.wrong(column, "%d is less than %d", v, least)
	case v > most:
		return 0, t.wrong(column, "%d is more than %d", v, most)
	}
	return v, nil
}

// duration reads a cell as milliseconds, rounded to nanoseconds.
func (t *table) duration(column string) (time.Duration, error) {
	ms, err := strconv.ParseFloat(t.cell(column), 64)
	switch {
	case err != nil || math.IsNaN(ms):
		return 0, t.wrong(column, "%q is not a number of milliseconds", t.cell(column))
	case ms < 0:
		return 0, t.wrong(column, "%s is negative", t.cell(column))
	case ms*1e6 > float64(network.MaxTime):
		return 0, t.wrong(column, "%s is too large", t.cell(column))
	}
	return time.Duration(math.Round(ms * 1e6)), nil
}
