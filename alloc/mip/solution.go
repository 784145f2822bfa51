package mip

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// ErrSolution is the error of invalid solution files.
var ErrSolution = errors.New("not a solution of this problem")

// A solutionError is a fault in a line of a solution file; line 0 is the file as a whole.
type solutionError struct {
	line    int
	problem string
}

// Error returns "line LINE: PROBLEM".
func (e *solutionError) Error() string {
	if e.line == 0 {
		return e.problem
	}
	return fmt.Sprintf("line %d: %s", e.line, e.problem)
}

// Unwrap returns [ErrSolution].
func (e *solutionError) Unwrap() error { return ErrSolution }

// A solutionReader reads the values of a program's columns.
type solutionReader struct {
	columns []column
	byName  map[string]int
	values  []float64
	seen    []bool
	line    int
}

func (s *solutionReader) errorf(format string, args ...any) error {
	return &solutionError{s.line, fmt.Sprintf(format, args...)}
}

// readValues returns the value of each column. Columns that CBC omits are zero.
func readValues(r io.Reader, columns []column) ([]float64, error) {
	s := &solutionReader{
		columns: columns, byName: make(map[string]int, len(columns)),
		values: make([]float64, len(columns)), seen: make([]bool, len(columns)),
	}
	for i, c := range columns {
		s.byName[c.name] = i
	}
	lines := bufio.NewScanner(r)
	var read func(text string) error
	for lines.Scan() {
		s.line++
		text := strings.TrimSpace(lines.Text())
		var err error
		switch {
		case text == "":
		case read == nil:
			read, err = s.begin(text)
		default:
			err = read(text)
		}
		if err != nil {
			return nil, err
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		s.line++
		return nil, s.errorf("the line is too long for a solution file")
	}
	if lines.Err() != nil {
		return nil, lines.Err()
	}
	if read == nil {
		return nil, &solutionError{0, "the file is empty"}
	}
	return s.values, nil
}

// begin detects the solver by the first line.
func (s *solutionReader) begin(text string) (read func(string) error, err error) {
	first, _, _ := strings.Cut(text, " ")
	status, _, isCBC := strings.Cut(text, "objective value")
	lower := strings.ToLower(status)
	switch {
	case first == "c" || first == "s":
		return s.glpk, s.glpk(text)
	case first == "Problem:":
		return nil, s.errorf("this is what glpsol -o writes, with six digits only: use glpsol --write")
	case strings.Contains(lower, "infeasible") || strings.Contains(lower, "unbounded") || strings.Contains(lower, "no integer solution"):
		return nil, s.errorf("the solver has no solution: %s", quotedLine(strings.Trim(status, " -")))
	case isCBC:
		return s.cbc, nil
	}
	return nil, s.errorf("this is neither what CBC writes for \"solution\" nor what glpsol --write writes")
}

// cbc reads "INDEX NAME VALUE COST", with a leading ** if a bound is violated.
func (s *solutionReader) cbc(text string) error {
	fields := strings.Fields(strings.TrimPrefix(text, "**"))
	if len(fields) != 4 {
		return s.errorf("the line has %d fields, not index, name, value and cost", len(fields))
	}
	i, ok := s.byName[fields[1]]
	if !ok {
		return s.errorf("this problem has no variable %s", quotedLine(fields[1]))
	}
	return s.set(i, fields[2])
}

// glpk reads "j COLUMN VALUE" and the line of the status.
func (s *solutionReader) glpk(text string) error {
	fields := strings.Fields(text)
	switch {
	case fields[0] == "s":
		return s.glpkStatus(fields)
	case fields[0] != "j":
		return nil
	case len(fields) != 3:
		return s.errorf("the line has %d fields, not j, column and value", len(fields))
	}
	i, err := strconv.Atoi(fields[1])
	if err != nil || i < 1 || i > len(s.columns) {
		return s.errorf("this problem has no column %s: it has 1 to %d", quotedLine(fields[1]), len(s.columns))
	}
	return s.set(i-1, fields[2])
}

// glpkStatus reads "s mip ROWS COLUMNS STATUS OBJECTIVE".
func (s *solutionReader) glpkStatus(fields []string) error {
	switch {
	case len(fields) != 6 || fields[1] != "mip":
		return s.errorf("this is not a solution in whole numbers")
	case fields[3] != strconv.Itoa(len(s.columns)):
		return s.errorf("the solution has %s columns, this problem has %d", quotedLine(fields[3]), len(s.columns))
	case fields[4] != "o" && fields[4] != "f":
		return s.errorf("the solver has no solution: its status is %s", quotedLine(fields[4]))
	}
	return nil
}

// set stores a value that is an integer to a millionth.
func (s *solutionReader) set(i int, text string) error {
	name := s.columns[i].name
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
		return s.errorf("%s is %s, which is not a number", name, quotedLine(text))
	case math.Abs(v-math.Round(v)) > 1e-6:
		return s.errorf("%s is %s, which is not a whole number", name, quotedLine(text))
	case s.seen[i]:
		return s.errorf("%s has a value already", name)
	}
	s.values[i], s.seen[i] = math.Round(v), true
	return nil
}

// quotedLine quotes a line of the file for messages.
func quotedLine(text string) string {
	const most = 60
	if len(text) > most {
		text = text[:most] + "..."
	}
	return strconv.QuoteToASCII(text)
}
