package patch

import "github.com/tflarena/tflarena/internal/integer"

// Front is the new data written before the old file. It is laid out in two passes: the first
// reserves the positions of all parts in the order of their references, which only point
// forward; the second writes them, when the distances are known.
type Front struct{ size int64 }

// shiftAlignment is the unit, in bytes, by which the old file moves. It exceeds every alignment
// that the format or a runtime requires, so all alignments are preserved.
const shiftAlignment = 64

// Reserve returns the position of a part of size bytes whose byte at offset lead is aligned.
func (f *Front) Reserve(size, lead, align int64) int64 {
	at := integer.RoundUp(f.size+lead, align) - lead
	f.size = at + size
	return at
}

// Shift returns the number of bytes by which the old file moves.
func (f *Front) Shift() int64 { return integer.RoundUp(f.size, shiftAlignment) }

// Output is a file under construction.
type Output []byte

// U16 writes consecutive two-byte numbers.
func (o Output) U16(at int64, values ...int) {
	for i, v := range values {
		le.PutUint16(o[at+2*int64(i):], uint16(v))
	}
}

// U32 writes a four-byte number.
func (o Output) U32(at int64, value int64) { le.PutUint32(o[at:], uint32(value)) }

// Refer writes a reference at a position to a later target.
func (o Output) Refer(at, target int64) { o.U32(at, target-at) }

// table writes the vtable and the table's reference to it. The vtable, which precedes the
// table, holds both sizes, then the offset of each field in the table.
func (o Output) table(vtable, at int64, size int, fields ...int) {
	o.U16(vtable, 4+2*len(fields), size)
	o.U16(vtable+4, fields...)
	o.U32(at, at-vtable)
}

// Vector writes a vector of references.
func (o Output) Vector(at int64, targets []int64) {
	o.U32(at, int64(len(targets)))
	for i, target := range targets {
		o.Refer(at+4+4*int64(i), target)
	}
}
