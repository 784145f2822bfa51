package mip

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// An offsetsProgram is the program of offsets with the meaning of its variables.
type offsetsProgram struct {
	program
	unit  int64 // bytes
	pairs []pair
	// u and z are columns, z one for each pair.
	u int
	z []int
}

// newOffsets states the program; upper is as in [WriteLP].
func newOffsets(records []lifetime.Record, apart Forbid, upper int64) (*offsetsProgram, error) {
	if err := lifetime.CheckRecords(records); err != nil {
		return nil, err
	}
	pairs, err := pairsOf(records, apart)
	if err != nil {
		return nil, err
	}
	p := &offsetsProgram{unit: unitOf(records, pairs), pairs: pairs}
	most := p.endToEnd(records)
	if upper > 0 {
		most = upper / p.unit
	}
	if most > maxNumber {
		return nil, fmt.Errorf("an arena of %s units of %s: %w", units.Number(most), units.ExactBytes(p.unit), ErrTooLarge)
	}
	p.note("The smallest arena for %d records: minimise u, in units of %s.", len(records), units.ExactBytes(p.unit))
	p.note("zI_J is 1 when record I does not lie below record J. The rows d and f follow from the others.")
	p.u = p.column("u", 1, 0, most)
	x, err := p.offsets(records, most)
	if err != nil {
		return nil, err
	}
	if err := p.pairRows(records, x, most); err != nil {
		return nil, err
	}
	return p, p.bounds(records, x)
}

// endToEnd returns the units that suffice for some best plan: all records end to end, above the last
// pinned one.
func (p *offsetsProgram) endToEnd(records []lifetime.Record) int64 {
	var pinned, rest int64
	for _, r := range records {
		switch {
		case r.Size > 0 && r.Pinned:
			pinned = max(pinned, (r.Offset+r.Size)/p.unit)
		case r.Size > 0:
			rest += r.Size/p.unit + p.step(r) - 1
		}
	}
	return pinned + rest
}

// step returns the divisor of a record's offset, in units.
func (p *offsetsProgram) step(r lifetime.Record) int64 {
	return max(r.Alignment()/p.unit, 1)
}

// offsets adds a column for each record's offset in steps, and the rows that keep its
// end below u: inequality 2 of the paper. It returns the columns by record.
func (p *offsetsProgram) offsets(records []lifetime.Record, most int64) ([]int, error) {
	x := make([]int, len(records))
	for i, r := range records {
		if r.Size == 0 {
			continue
		}
		step, size := p.step(r), r.Size/p.unit
		lo, hi := int64(0), (most-size)/step
		if r.Pinned {
			lo = r.Offset / p.unit / step
			hi = min(hi, lo)
		}
		if most < size || hi < lo {
			return nil, fmt.Errorf("record %d (%s) does not fit into %s", i, quoted(r), units.ExactBytes(most*p.unit))
		}
		p.note("x%d: offset / %d of record %s", i, step*p.unit, quoted(r))
		x[i] = p.column(fmt.Sprintf("x%d", i), 0, lo, hi)
		err := p.row(fmt.Sprintf("t%d", i), atLeast, size, term{1, p.u}, term{-step, x[i]})
		if err != nil {
			return nil, err
		}
	}
	if len(p.rows) == 0 { // readers require at least one
		return x, p.row("t", atLeast, 0, term{1, p.u})
	}
	return x, nil
}

// pairRows adds the rows that keep pairs apart: inequalities 3 and 4 of the paper, where most is W.
func (p *offsetsProgram) pairRows(records []lifetime.Record, x []int, most int64) error {
	for _, pair := range p.pairs {
		z, err := p.binary("z"+pair.name(), 0)
		if err != nil {
			return err
		}
		p.z = append(p.z, z)
		below, above := term{p.step(records[pair.i]), x[pair.i]}, term{p.step(records[pair.j]), x[pair.j]}
		err = p.row("a"+pair.name(), atMost, -pair.hi/p.unit, below, minus(above), term{-most, z})
		if err != nil {
			return err
		}
		err = p.row("b"+pair.name(), atMost, pair.lo/p.unit+most, above, minus(below), term{most, z})
		if err != nil {
			return err
		}
	}
	return nil
}

func minus(t term) term { return term{-t.factor, t.column} }
