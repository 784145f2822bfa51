package trace

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tflarena/tflarena/alloc/replay"
)

// A line is an object of JSON lines. Other members are ignored.
type line struct {
	Event    string          `json:"event"`
	ID       json.RawMessage `json:"id"`
	Size     json.Number     `json:"size"`
	Device   json.Number     `json:"device"`
	Stream   json.Number     `json:"stream"`
	Pool     string          `json:"pool"`
	TimeUS   json.Number     `json:"time_us"`
	Function string          `json:"function"`
}

func readLines(data []byte) (*replay.Trace, error) {
	c := newCollector(bytes.Count(data, []byte("\n")) + 1)
	for number := 1; len(data) > 0; number++ {
		var text []byte
		text, data, _ = bytes.Cut(data, []byte("\n"))
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		var l line
		err := json.Unmarshal(text, &l)
		if err != nil {
			err = jsonProblem(err)
		} else {
			err = c.add(l.row())
		}
		if err != nil {
			return nil, &Error{Line: number, Offset: -1, Problem: err.Error()}
		}
	}
	return c.trace(), nil
}

// jsonProblem rewords an error of encoding/json.
func jsonProblem(err error) error {
	if e := (*json.UnmarshalTypeError)(nil); errors.As(err, &e) {
		return fmt.Errorf("field %q cannot be %s", e.Field, e.Value)
	}
	return fmt.Errorf("this is not a JSON object on a line of its own: %w", err)
}

func (l *line) row() row {
	id := string(l.ID)
	switch {
	case id == "null":
		id = ""
	case strings.HasPrefix(id, `"`):
		_ = json.Unmarshal(l.ID, &id) // the line was valid as a whole
	}
	return row{
		event: l.Event, id: id, size: l.Size.String(), device: l.Device.String(), stream: l.Stream.String(),
		pool: l.Pool, time: l.TimeUS.String(), function: l.Function,
	}
}

// columns are the known names of columns.
var columns = []string{"event", "id", "size", "device", "stream", "pool", "time_us", "function"}

func readTable(data []byte) (*replay.Trace, error) {
	r := csv.NewReader(bytes.NewReader(data))
	r.ReuseRecord, r.FieldsPerRecord = true, -1
	header, err := r.Read()
	if err != nil {
		return nil, &Error{Offset: -1, Problem: "this is not a trace: it is neither a PyTorch snapshot, nor JSON lines, nor CSV with a header row such as event,id,size,device,stream,time_us"}
	}
	at, err := columnIndexes(header)
	if err != nil {
		return nil, &Error{Line: 1, Offset: -1, Problem: err.Error()}
	}
	width := len(header)
	c := newCollector(bytes.Count(data, []byte("\n")) + 1)
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return c.trace(), nil
		}
		if e := (*csv.ParseError)(nil); errors.As(err, &e) {
			return nil, &Error{Line: e.Line, Offset: -1, Problem: e.Err.Error()}
		}
		line, _ := r.FieldPos(0)
		if len(cells) != width {
			return nil, &Error{Line: line, Offset: -1, Problem: fmt.Sprintf("%d cells, but the header has %d", len(cells), width)}
		}
		cell := func(column int) string {
			if at[column] < 0 {
				return ""
			}
			return strings.TrimSpace(cells[at[column]])
		}
		err = c.add(row{
			event: cell(0), id: cell(1), size: cell(2), device: cell(3), stream: cell(4),
			pool: cell(5), time: cell(6), function: cell(7),
		})
		if err != nil {
			return nil, &Error{Line: line, Offset: -1, Problem: err.Error()}
		}
	}
}

// columnIndexes returns the indexes of columns in a header row; -1 means missing.
func columnIndexes(header []string) (at [8]int, err error) {
	for i := range at {
		at[i] = -1
	}
	for k, cell := range header {
		for i, column := range columns {
			if !strings.EqualFold(strings.TrimSpace(cell), column) {
				continue
			}
			if at[i] >= 0 {
				return at, fmt.Errorf("there are two columns %q", column)
			}
			at[i] = k
		}
	}
	for _, i := range []int{0, 1, 2} {
		if at[i] < 0 {
			return at, fmt.Errorf("there is no column %q: a trace as CSV has %s", columns[i], strings.Join(columns, ","))
		}
	}
	return at, nil
}
