package mip

import (
	"io"

	"github.com/tflarena/tflarena/lifetime"
)

// WriteLP writes the program of offsets in the LP form of CPLEX. Upper is an arena in
// bytes that is known to be enough, such as a plan's total; the smaller, the better the
// solver gets on. A smaller one than the best makes the program infeasible, and 0 stands
// for all records end to end.
//
// Its errors: what [lifetime.CheckRecords] says of bad records, [ErrTooLarge], an upper
// that some record does not fit into, and what w returns.
func WriteLP(w io.Writer, records []lifetime.Record, upper int64) error {
	p, err := newOffsets(records, upper)
	if err != nil {
		return err
	}
	return p.writeLP(w)
}

// WriteMPS is [WriteLP] for the free MPS form.
func WriteMPS(w io.Writer, records []lifetime.Record, upper int64) error {
	p, err := newOffsets(records, upper)
	if err != nil {
		return err
	}
	return p.writeMPS(w)
}

// WriteSharedLP writes the program of shared objects in the LP form of CPLEX.
// Alignments, pins and gaps mean nothing there. Its errors are those of [WriteLP].
func WriteSharedLP(w io.Writer, records []lifetime.Record) error {
	p, err := newShared(records)
	if err != nil {
		return err
	}
	return p.writeLP(w)
}

// WriteSharedMPS is [WriteSharedLP] for the free MPS form.
func WriteSharedMPS(w io.Writer, records []lifetime.Record) error {
	p, err := newShared(records)
	if err != nil {
		return err
	}
	return p.writeMPS(w)
}
