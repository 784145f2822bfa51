package tflite

import (
	"encoding/binary"
	"math"
)

// CustomOption returns an integer from the options of a custom operator, a FlexBuffers map from
// names to values. ok is false if the options are not such a map or are damaged, or if the name
// is missing or has no integer.
func (o *Operator) CustomOption(name string) (value int64, ok bool) {
	b := flexBytes(o.table.CustomOptionsBytes())
	if len(b) < 3 {
		return 0, false
	}
	// The last byte is the width of the root value; the byte before it is the root's type.
	width, kind := int(b[len(b)-1]), b[len(b)-2]
	at := len(b) - 2 - width
	if !flexWidth(width) || kind>>2 != flexMap {
		return 0, false
	}
	m, ok := b.target(at, width)
	if !ok {
		return 0, false
	}
	return b.find(m, 1<<(kind&3), name)
}

// The FlexBuffers types that are read, stored in the upper six bits of a type byte. The lower
// two bits are the width of the referenced value, as a power of two.
const (
	flexInt         = 1
	flexUint        = 2
	flexIndirectInt = 6
	flexIndirectU   = 7
	flexMap         = 9
	flexBool        = 26
)

// flexBytes is a FlexBuffers value. Its references point backwards.
type flexBytes []byte

func flexWidth(n int) bool { return n == 1 || n == 2 || n == 4 || n == 8 }

// uint reads an unsigned integer of width bytes.
func (b flexBytes) uint(at, width int) (uint64, bool) {
	if at < 0 || at > len(b)-width {
		return 0, false
	}
	var raw [8]byte
	copy(raw[:], b[at:at+width])
	return binary.LittleEndian.Uint64(raw[:]), true
}

// int reads a signed integer of width bytes.
func (b flexBytes) int(at, width int) (int64, bool) {
	n, ok := b.uint(at, width)
	shift := 64 - 8*width
	return int64(n<<shift) >> shift, ok
}

// target returns the target of the backward reference at a position.
func (b flexBytes) target(at, width int) (int, bool) {
	n, ok := b.uint(at, width)
	if !ok || n > uint64(at) {
		return 0, false
	}
	return at - int(n), true
}

// find looks up a name in the map whose values begin at a position. The values are preceded by
// the reference to the keys, the width of the keys, and the number of values; one type byte per
// value follows them.
func (b flexBytes) find(values, width int, name string) (int64, bool) {
	size, sized := b.uint(values-width, width)
	keyWidth, known := b.uint(values-2*width, width)
	keys, found := b.target(values-3*width, width)
	if !sized || !known || !found || keyWidth > 8 || !flexWidth(int(keyWidth)) || size > uint64(len(b)) {
		return 0, false
	}
	for i := range int(size) {
		key, ok := b.target(keys+i*int(keyWidth), int(keyWidth))
		if !ok {
			return 0, false
		}
		if b.named(key, name) {
			return b.number(values+i*width, width, values+int(size)*width+i)
		}
	}
	return 0, false
}

// named reports whether the zero-terminated key at a position is name.
func (b flexBytes) named(at int, name string) bool {
	end := at + len(name)
	return end < len(b) && b[end] == 0 && string(b[at:end]) == name
}

// number reads a value as an integer; its type byte is at kindAt.
func (b flexBytes) number(at, width, kindAt int) (int64, bool) {
	if kindAt >= len(b) {
		return 0, false
	}
	kind := b[kindAt]
	if t := kind >> 2; t == flexIndirectInt || t == flexIndirectU {
		target, ok := b.target(at, width)
		if !ok {
			return 0, false
		}
		at, width = target, 1<<(kind&3)
	}
	switch kind >> 2 {
	case flexInt, flexIndirectInt:
		return b.int(at, width)
	case flexUint, flexIndirectU, flexBool:
		n, ok := b.uint(at, width)
		return int64(n), ok && n <= math.MaxInt64
	}
	return 0, false
}
