package rewrite

// A front is what goes in front of an old file. It is laid out in two passes: the
// first reserves the places of all its parts in the order in which they refer to
// each other, since references only lead forward; the second fills them in, when
// the distances are known.
type front struct{ size int64 }

// shiftAlignment is what the old bytes move by a multiple of. It is above every
// alignment that the format or a runtime asks for, so that all of them stay.
const shiftAlignment = 64

// reserve returns the place of a part of size bytes whose byte at lead is aligned.
func (f *front) reserve(size, lead, align int64) int64 {
	at := roundUp(f.size+lead, align) - lead
	f.size = at + size
	return at
}

// shift returns the bytes by which the old file moves.
func (f *front) shift() int64 { return roundUp(f.size, shiftAlignment) }

func roundUp(n, multiple int64) int64 { return (n + multiple - 1) / multiple * multiple }

// An output is a file in the making.
type output []byte

func (o output) u16(at int64, values ...int) {
	for i, v := range values {
		le.PutUint16(o[at+2*int64(i):], uint16(v))
	}
}

func (o output) u32(at int64, value int64) { le.PutUint32(o[at:], uint32(value)) }

// refer makes the reference at a place lead to a target behind it.
func (o output) refer(at, target int64) { o.u32(at, target-at) }

// table begins the table at a place, whose vtable is in front of it: the sizes of
// both, then the offset of each field in the table.
func (o output) table(vtable, at int64, size int, fields ...int) {
	o.u16(vtable, 4+2*len(fields), size)
	o.u16(vtable+4, fields...)
	o.u32(at, at-vtable)
}

// vector writes a vector of references.
func (o output) vector(at int64, targets []int64) {
	o.u32(at, int64(len(targets)))
	for i, target := range targets {
		o.refer(at+4+4*int64(i), target)
	}
}
