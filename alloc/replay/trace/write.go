package trace

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/tflarena/tflarena/alloc/replay"
)

// WriteCSV writes a trace in the form that [Read] reads. Events about segments and annotated iterations
// are omitted.
func WriteCSV(w io.Writer, t *replay.Trace) error {
	names := map[replay.Kind]string{}
	for name, kind := range kinds {
		names[kind] = name
	}
	rows := [][]string{columns}
	for _, d := range t.Devices {
		for _, e := range d.Events {
			name, written := names[e.Kind]
			if !written {
				continue
			}
			row := []string{name, "", "", strconv.Itoa(d.Index), "", "", "", ""}
			if e.Kind == replay.Alloc || e.Kind == replay.Free {
				lane := d.Lanes[e.Lane]
				row[1], row[4], row[5] = d.Name(e.Block), strconv.FormatInt(lane.Stream, 10), lane.Pool
			}
			if e.Kind == replay.Alloc {
				row[2] = strconv.FormatInt(e.Size, 10)
			}
			if e.Time != 0 {
				row[6] = strconv.FormatInt(e.Time, 10)
			}
			row[7], _ = t.Caller(e.Stack)
			rows = append(rows, row)
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}
