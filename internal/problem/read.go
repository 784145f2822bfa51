package problem

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// LooksLike reports whether the beginning of a file, of up to a few KiB, is a CSV problem rather than a
// model: its first line is text with a comma and names at least one column of a problem. A model may
// begin with any four bytes, then "TFL3".
func LooksLike(beginning []byte) bool {
	if len(beginning) >= 8 && string(beginning[4:8]) == "TFL3" {
		return false
	}
	line, _, _ := bytes.Cut(trimBOM(beginning), []byte("\n"))
	if !bytes.Contains(line, []byte(",")) || bytes.IndexByte(line, 0) >= 0 {
		return false
	}
	for cell := range strings.SplitSeq(string(line), ",") {
		if _, ok := meaning(strings.Trim(cell, "\"\r")); ok {
			return true
		}
	}
	return false
}

// trimBOM drops the byte order mark that spreadsheets write.
func trimBOM(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) }

// Parse reads a problem from its text, which the problem keeps and which must not change. An error is
// an [*Error].
func Parse(data []byte) (*Problem, error) {
	r := reader{data: data, lines: map[string]int{}, csv: csv.NewReader(bytes.NewReader(trimBOM(data)))}
	r.base = len(data) - len(trimBOM(data))
	r.csv.FieldsPerRecord = -1
	if err := r.header(); err != nil {
		return nil, err
	}
	for {
		cells, err := r.next()
		if errors.Is(err, io.EOF) {
			return &r.problem, nil
		}
		if err != nil {
			return nil, err
		}
		if err := r.row(cells); err != nil {
			return nil, err
		}
	}
}

// reader reads rows and tracks its position in the text.
type reader struct {
	data    []byte
	base    int // bytes before the text that csv reads
	csv     *csv.Reader
	columns columns
	problem Problem
	all     span           // the row just read
	line    int            // its first line
	lines   map[string]int // of each ID
}

func (r *reader) header() error {
	r.problem.data, r.problem.offsetColumn = r.data, -1
	cells, err := r.next()
	if errors.Is(err, io.EOF) {
		return &Error{Problem: "the file is empty: it needs a header row such as id,lower,upper,size"}
	}
	if err != nil {
		return err
	}
	r.problem.header = r.all
	r.columns, r.problem.Unused, err = readHeader(cells, r.line)
	r.problem.HasAlignment = r.columns.at[fieldAlignment] >= 0
	r.problem.offsetColumn = r.columns.at[fieldOffset]
	if i := r.columns.at[fieldEnd]; err == nil && i >= 0 && strings.EqualFold(strings.TrimSpace(cells[i]), "end") {
		r.problem.InclusiveEnd = cells[i]
	}
	return err
}

// next returns the cells of the next row; at the end its error is io.EOF.
func (r *reader) next() ([]string, error) {
	from := r.base + int(r.csv.InputOffset())
	cells, err := r.csv.Read()
	if errors.Is(err, io.EOF) {
		return nil, err
	}
	if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
		return nil, &Error{Row: len(r.problem.rows) + 1, Line: parse.Line, Problem: parse.Err.Error()}
	}
	if err != nil {
		return nil, &Error{Problem: err.Error()}
	}
	r.line, _ = r.csv.FieldPos(0)
	r.all = trimNewlines(r.data, span{from, r.base + int(r.csv.InputOffset())})
	return cells, nil
}

// trimNewlines removes the row's own line end and blank lines before it, as package csv does: a
// carriage return anywhere else is part of a cell.
func trimNewlines(data []byte, s span) span {
	for {
		rest := data[s.start:s.end]
		after, blank := bytes.CutPrefix(rest, []byte("\n"))
		if !blank {
			after, blank = bytes.CutPrefix(rest, []byte("\r\n"))
		}
		if !blank {
			break
		}
		s.start = s.end - len(after)
	}
	text, _ := bytes.CutSuffix(data[s.start:s.end], []byte("\n"))
	text, _ = bytes.CutSuffix(text, []byte("\r"))
	return span{s.start, s.start + len(text)}
}

func (r *reader) row(cells []string) error {
	number := len(r.problem.rows) + 1
	if len(cells) != len(r.columns.name) {
		return &Error{Row: number, Line: r.line, Problem: fmt.Sprintf("%d cells, but the header has %d", len(cells), len(r.columns.name))}
	}
	c := cellReader{columns: &r.columns, cells: cells, row: number, line: r.line}
	record := c.record()
	if first, ok := r.lines[record.ID]; ok {
		c.check(false, fieldID, "%q is the name of the row in line %d, too: each row needs a name of its own", record.ID, first)
	}
	r.lines[record.ID] = r.line
	if r.columns.shaped() {
		r.problem.addShape(&c, record)
	}
	if c.has(fieldKnownAt) {
		r.problem.KnownAt = append(r.problem.KnownAt, c.knownAt(record))
	}
	if c.err != nil {
		return c.err
	}
	r.problem.Records = append(r.problem.Records, record)
	r.problem.rows = append(r.problem.rows, row{r.all, r.offsetCell(cells)})
	return nil
}
