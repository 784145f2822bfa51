package tables

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"
)

// CSV returns the table as RFC 4180 text with a header row of keys and lines that end in a newline
// alone. Byte counts are plain integers.
func (t *Table) CSV() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	var heads []string
	for _, c := range t.Columns {
		if c.Key != "" {
			heads = append(heads, c.Key)
		}
	}
	lines := [][]string{heads}
	for _, row := range t.Rows {
		if row.Summary {
			continue
		}
		var line []string
		for i, cell := range row.Cells {
			if t.Columns[i].Key != "" {
				line = append(line, fmt.Sprint(cell))
			}
		}
		lines = append(lines, line)
	}
	if err := w.WriteAll(lines); err != nil {
		return nil, fmt.Errorf("write CSV: %w", err)
	}
	return b.Bytes(), nil
}

// Markdown returns the table as a Markdown table with the columns and scales of text, and whole names.
func (t *Table) Markdown(l Layout) string {
	full := Table{Columns: t.Columns}
	for _, row := range t.Rows {
		if !row.Summary {
			row.Paint = nil
			full.Rows = append(full.Rows, row)
		}
	}
	g := full.grid(l)
	for _, row := range g.rows {
		for i, cell := range row {
			row[i] = marks.Replace(cell)
		}
	}
	return strings.TrimRight(g.writer().RenderMarkdown(), "\n") + "\n"
}
