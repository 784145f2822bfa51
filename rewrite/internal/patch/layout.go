package patch

import "github.com/tflarena/tflarena/internal/integer"

// A Front is what goes in front of an old file. It is laid out in two passes: the
// first reserves the places of all its parts in the order in which they refer to
// each other, since references only lead forward; the second fills them in, when
// the distances are known.
type Front struct{ size int64 }

// shiftAlignment is what the old bytes move by a multiple of. It is above every
// alignment that the format or a runtime asks for, so that all of them stay.
const shiftAlignment = 64

// Reserve returns the place of a part of size bytes whose byte at lead is aligned.
func (f *Front) Reserve(size, lead, align int64) int64 {
	at := integer.RoundUp(f.size+lead, align) - lead
	f.size = at + size
	return at
}

// Shift returns the bytes by which the old file moves.
func (f *Front) Shift() int64 { return integer.RoundUp(f.size, shiftAlignment) }

// An Output is a file in the making.
type Output []byte

// U16 writes numbers of two bytes, one behind the other.
func (o Output) U16(at int64, values ...int) {
	for i, v := range values {
		le.PutUint16(o[at+2*int64(i):], uint16(v))
	}
}

// U32 writes a number of four bytes.
func (o Output) U32(at int64, value int64) { le.PutUint32(o[at:], uint32(value)) }

// Refer makes the reference at a place lead to a target behind it.
func (o Output) Refer(at, target int64) { o.U32(at, target-at) }

// table begins the table at a place, whose vtable is in front of it: the sizes of
// both, then the offset of each field in the table.
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
