package speed

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tflarena/tflarena/internal/columns"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// ErrInvalid is wrapped by errors about the contents of a file of measurements.
var ErrInvalid = errors.New("not a valid list of measurements")

const (
	maxMeasurements = 1000
	// minTime and maxTime bound a time in milliseconds: a picosecond, and 11 days.
	minTime, maxTime = 1e-9, 1e9
)

// names are the columns of a file of measurements. The last one is optional.
var names = []string{"model", "milliseconds", "operator"}

// Calibrate reads measurements from CSV, and returns their rate in milliseconds. Each row has a model and
// the milliseconds of a run, or of all its operators with the name in the column operator, such as CONV_2D.
// open opens a model. Errors name the line and the column, and wrap [ErrInvalid] or the error of open.
func Calibrate(data []byte, open func(model string) (*tflite.Model, error)) (*Rate, error) {
	r, at, err := columns.Open(data, len(names)-1, names...)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	c := calibration{open: open, models: map[string]*tflite.Model{}}
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
		}
		var row [3]string
		for i, column := range at {
			if column >= 0 {
				row[i] = strings.TrimSpace(cells[column])
			}
		}
		if column, err := c.add(row); err != nil {
			line, place := r.FieldPos(at[max(column, 0)])
			if err = fmt.Errorf("line %d, column %d: %w", line, place, err); column >= 0 {
				err = fmt.Errorf("%w: %w", ErrInvalid, err)
			}
			return nil, err
		}
	}
	if c.list == nil {
		return nil, fmt.Errorf("%w: no measurement: add a row for each below the header", ErrInvalid)
	}
	return fit(c.list), nil
}

// A calibration is the measurements of a file.
type calibration struct {
	open   func(string) (*tflite.Model, error)
	models map[string]*tflite.Model
	list   []sample
}

// add adds the measurement of a row. It returns an error with the index of its column in [names], or -1
// for an error of open.
func (c *calibration) add(row [3]string) (column int, err error) {
	if len(c.list) == maxMeasurements {
		return 0, fmt.Errorf("more than %d measurements", maxMeasurements)
	}
	m := c.models[row[0]]
	if m == nil {
		if m, err = c.open(row[0]); err != nil {
			return -1, err
		}
		c.models[row[0]] = m
	}
	ms, err := units.ParseNumber(row[1])
	if err != nil || ms < minTime || ms > maxTime {
		return 1, fmt.Errorf("%q is not a time in milliseconds", row[1])
	}
	x := sample{cost: ms}
	for kind, n := range workOf(m, row[2]).MACs {
		x.macs[kind] = float64(n)
	}
	switch {
	case x.macs != [kinds]float64{}:
		c.list = append(c.list, x)
		return 0, nil
	case row[2] == "":
		return 0, errors.New("the model has no multiply-accumulates")
	}
	return 2, fmt.Errorf("the model has no %s with multiply-accumulates: use a name as in the file, such as CONV_2D, or leave the cell empty for the whole run", row[2])
}

// workOf counts the work of a model, or of its operators with a name.
func workOf(m *tflite.Model, name string) (w Work) {
	if name == "" {
		return Of(m, 0)
	}
	s := &m.Subgraphs[0]
	for i := range s.Operators {
		if o := &s.Operators[i]; o.Name == name {
			w.MACs[kindOf(m.OperatorCodes[o.Code].Builtin)] += op.MACs(m, s, o).Total()
		}
	}
	return w
}
