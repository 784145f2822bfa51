package litert

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/tflarena/tflarena/internal/columns"
	"github.com/tflarena/tflarena/tflite"
)

// ErrTimes is wrapped by errors about the contents of a file of measured times.
var ErrTimes = errors.New("not a valid list of measured times")

// The columns of a file of measured times.
const (
	operatorColumn = "operator"
	computeColumn  = "compute_ms"
)

// ReadTimes reads the compute times of the operators of a model's first subgraph, by index, from CSV
// with the columns operator and compute_ms, in milliseconds: see [columns.Open]. The file has
// one row for each operator, in any order. Errors wrap [ErrTimes].
func ReadTimes(data []byte, m *tflite.Model) (map[int]time.Duration, error) {
	r, at, err := columns.Open(data, 2, operatorColumn, computeColumn)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTimes, err)
	}
	times := map[int]time.Duration{}
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return times, complete(times, m)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrTimes, err)
		}
		if err := addTime(times, m, cells[at[0]], cells[at[1]]); err != nil {
			line, _ := r.FieldPos(0)
			return nil, fmt.Errorf("%w: line %d: %w", ErrTimes, line, err)
		}
	}
}

// addTime reads one row.
func addTime(times map[int]time.Duration, m *tflite.Model, operator, compute string) error {
	i, err := strconv.Atoi(strings.TrimSpace(operator))
	if n := len(m.Subgraphs[0].Operators); err != nil || i < 0 || i >= n {
		return fmt.Errorf("%s %q: the first subgraph has operators 0 to %d", operatorColumn, operator, n-1)
	}
	if _, twice := times[i]; twice {
		return fmt.Errorf("%s %d has a row already", operatorColumn, i)
	}
	ms, err := strconv.ParseFloat(strings.TrimSpace(compute), 64)
	if err != nil || !(ms >= 0 && ms <= 1e9) {
		return fmt.Errorf("%s %q is not a number of milliseconds from 0 to 1e9", computeColumn, compute)
	}
	times[i] = time.Duration(math.Round(ms * 1e6))
	return nil
}

// complete returns an error about the first operator without a row.
func complete(times map[int]time.Duration, m *tflite.Model) error {
	for i := range m.Subgraphs[0].Operators {
		if _, ok := times[i]; !ok {
			return fmt.Errorf("%w: operator %d has no row", ErrTimes, i)
		}
	}
	return nil
}
