package export

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/tflarena/tflarena/alloc"
)

// writeCSV writes a row for each record: its offset and its positions, both inclusive. For a plan of a
// table, it writes that table with offsets.
func writeCSV(w io.Writer, p *Plan) error {
	if p.Source != nil {
		return writeSource(w, p)
	}
	last := "offset_bytes"
	if p.Places.Approach == alloc.Shared {
		last = "object"
	}
	rows := [][]string{{"id", "name", "first_op", "last_op", "size_bytes", last}}
	if p.KnownAt != nil {
		rows[0] = append(rows[0], "alignment", "known_at")
	}
	for i, r := range p.Records {
		row := []string{r.ID, r.Name, strconv.Itoa(r.First), strconv.Itoa(r.Last), strconv.FormatInt(r.Size, 10), strconv.FormatInt(p.place(i), 10)}
		if p.KnownAt != nil {
			at := ""
			if p.KnownAt[i] != math.MinInt {
				at = strconv.Itoa(p.KnownAt[i])
			}
			row = append(row, strconv.FormatInt(r.Alignment(), 10), at)
		}
		rows = append(rows, row)
	}
	if err := csv.NewWriter(w).WriteAll(rows); err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	return nil
}

func writeSource(w io.Writer, p *Plan) error {
	q, err := p.inOffsets()
	if err != nil {
		return err
	}
	data, err := p.Source.WithOffsets(q.Places.Offsets)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}
