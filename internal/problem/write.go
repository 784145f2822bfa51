package problem

import (
	"bytes"
	"fmt"
	"strconv"
)

// WithOffsets returns the problem's own text with an offset, in bytes, for each row: in the offset
// column, or else in a new last column. All other text stays unchanged, byte for byte, except for blank
// lines between rows.
func (p *Problem) WithOffsets(offsets []int64) ([]byte, error) {
	if len(offsets) != len(p.rows) {
		return nil, fmt.Errorf("%d offsets for %d rows", len(offsets), len(p.rows))
	}
	newline := "\n"
	if bytes.Contains(p.data, []byte("\r\n")) {
		newline = "\r\n"
	}
	var b bytes.Buffer
	b.Write(p.data[:p.header.end])
	if p.offsetColumn < 0 {
		b.WriteString(",offset")
	}
	b.WriteString(newline)
	for i, r := range p.rows {
		offset := strconv.FormatInt(offsets[i], 10)
		if p.offsetColumn < 0 {
			b.Write(p.data[r.all.start:r.all.end])
			b.WriteString("," + offset)
		} else {
			b.Write(p.data[r.all.start:r.offset.start])
			b.WriteString(offset)
			b.Write(p.data[r.offset.end:r.all.end])
		}
		b.WriteString(newline)
	}
	return b.Bytes(), nil
}

// offsetCell returns the range of the current row's offset cell in the text; empty without an offset
// column.
func (r *reader) offsetCell(cells []string) span {
	i := r.columns.at[fieldOffset]
	if i < 0 {
		return span{}
	}
	cell := span{r.position(i), r.all.end}
	if i+1 < len(cells) {
		cell.end = r.position(i+1) - 1 // without the comma
	}
	return cell
}

// position returns the beginning of a cell of the current row in the text.
func (r *reader) position(cell int) int {
	line, column := r.csv.FieldPos(cell)
	at := r.all.start
	for range line - r.line {
		at += bytes.IndexByte(r.data[at:], '\n') + 1
	}
	return at + column - 1
}
