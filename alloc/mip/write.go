package mip

import (
	"io"

	"github.com/tflarena/tflarena/lifetime"
)

// An Apart returns the differences offset[b]-offset[a] in bytes that two records may not have,
// for indexes a < b whose usage intervals meet: closed ranges, ascending and disjoint, such as
// those of [lifetime.Forbidden]. Nothing else keeps the two apart. A nil Apart stands for what
// the records hold.
type Apart func(a, b int) []lifetime.Range

// WriteLP writes the program for offsets in the LP form of CPLEX. upper is the size in
// bytes of an arena that is known to be large enough, such as a plan's total. The smaller
// it is, the easier the program is for a solver; below the optimum it is infeasible. Zero
// stands for all records laid end to end.
//
// Its errors are that of [lifetime.CheckRecords] for bad records, [ErrTooLarge], an upper
// that some record does not fit into, and those of w.
func WriteLP(w io.Writer, records []lifetime.Record, apart Apart, upper int64) error {
	p, err := newOffsets(records, apart, upper)
	if err != nil {
		return err
	}
	return p.writeLP(w)
}

// WriteMPS is [WriteLP] for the free MPS form.
func WriteMPS(w io.Writer, records []lifetime.Record, apart Apart, upper int64) error {
	p, err := newOffsets(records, apart, upper)
	if err != nil {
		return err
	}
	return p.writeMPS(w)
}

// WriteSharedLP writes the program for shared objects in the LP form of CPLEX. Alignments,
// pins and gaps mean nothing in it. Its errors are those of [WriteLP].
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
