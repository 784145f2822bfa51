package mip

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/tflarena/tflarena/lifetime"
)

// ErrTooLarge is the error for problems whose program is too large for solvers: more than [MaxBinaries]
// binaries, or numbers that floating point cannot hold. Errors unwrap to it.
var ErrTooLarge = errors.New("too large for an integer program")

const (
	// MaxBinaries is the largest number of binaries of a program. Solvers fail long before.
	MaxBinaries = 1 << 18
	// maxTerms is the largest number of terms in all rows together.
	maxTerms = 1 << 22
	// maxNumber bounds the integers that floating point represents exactly.
	maxNumber = int64(1) << 53
)

// A program minimises the sum of its columns' costs over integers. Columns are numbered as they first
// appear in the objective and then in the rows, as GLPK numbers the columns of an LP file.
type program struct {
	notes   []string
	columns []column
	rows    []row
	terms   int
}

// A column is a variable with its inclusive bounds.
type column struct {
	name   string
	cost   int64
	lo, hi int64
}

// A row is the constraint: sum of terms, sense, rhs.
type row struct {
	name  string
	terms []term
	sense sense
	rhs   int64
}

type term struct {
	factor int64
	column int
}

// A sense is a comparison as MPS writes it.
type sense byte

const (
	atLeast sense = 'G'
	atMost  sense = 'L'
	equal   sense = 'E'
)

func (p *program) column(name string, cost, lo, hi int64) int {
	p.columns = append(p.columns, column{name: name, cost: cost, lo: lo, hi: hi})
	return len(p.columns) - 1
}

func (p *program) binary(name string, cost int64) (int, error) {
	if len(p.columns) >= MaxBinaries {
		return 0, fmt.Errorf("more than %d variables: %w", MaxBinaries, ErrTooLarge)
	}
	return p.column(name, cost, 0, 1), nil
}

func (p *program) row(name string, s sense, rhs int64, terms ...term) error {
	p.terms += len(terms)
	if p.terms > maxTerms {
		return fmt.Errorf("more than %d terms: %w", maxTerms, ErrTooLarge)
	}
	p.rows = append(p.rows, row{name: name, terms: terms, sense: s, rhs: rhs})
	return nil
}

func (p *program) note(format string, args ...any) {
	p.notes = append(p.notes, fmt.Sprintf(format, args...))
}

// quoted returns a record's id as one line of printable ASCII, shortened to the length of a line.
func quoted(r lifetime.Record) string {
	const most = 60
	id := r.ID
	if len(id) > most {
		id = id[:most] + "..."
	}
	return strconv.QuoteToASCII(id)
}
