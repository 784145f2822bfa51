package mip

import (
	"io"

	"github.com/tflarena/tflarena/lifetime"
)

// A Forbid returns the forbidden differences offset[b]-offset[a] in bytes of two records, for indexes a
// < b whose usage intervals overlap: closed ranges, ascending and disjoint, as from
// [lifetime.Forbidden]. All other differences are allowed. A nil Forbid keeps records apart by the bytes
// they hold.
type Forbid func(a, b int) []lifetime.Range

// WriteLP writes the program for offsets in the LP format of CPLEX. upper is the size in bytes of an
// arena that is known to be large enough, such as a plan's total. The smaller it is, the easier the
// program is for a solver; below the optimum it is infeasible. Zero means all records laid end to end.
//
// It returns the error of [lifetime.CheckRecords] for invalid records, [ErrTooLarge], an error for an
// upper that some record does not fit into, and write errors.
func WriteLP(w io.Writer, records []lifetime.Record, apart Forbid, upper int64) error {
	p, err := newOffsets(records, apart, upper)
	if err != nil {
		return err
	}
	return p.writeLP(w)
}

// WriteMPS is [WriteLP] for the free MPS format.
func WriteMPS(w io.Writer, records []lifetime.Record, apart Forbid, upper int64) error {
	p, err := newOffsets(records, apart, upper)
	if err != nil {
		return err
	}
	return p.writeMPS(w)
}

// WriteSharedLP writes the program for shared objects in the LP format of CPLEX. It ignores alignments,
// pins and gaps. Errors are as for [WriteLP].
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
