package tflite

import (
	"encoding/binary"
	"math"
)

// CustomOption returns an integer from the options of a custom operator, which are a
// FlexBuffers map from names to values. ok is false where the options are not such a map,
// where they have no integer under the name, and where their bytes are damaged.
func (o *Operator) CustomOption(name string) (value int64, ok bool) {
	b := flexBytes(o.table.CustomOptionsBytes())
	if len(b) < 3 {
		return 0, false
	}
	// The last byte is the width of the root's value, the one before it the root's type.
	width, kind := int(b[len(b)-1]), b[len(b)-2]
	at := len(b) - 2 - width
	if !flexWidth(width) || kind>>2 != flexMap {
		return 0, false
	}
	m, ok := b.behind(at, width)
	if !ok {
		return 0, false
	}
	return b.find(m, 1<<(kind&3), name)
}

// The types of FlexBuffers that are read here, in the upper six bits of a type byte. The
// lower two are the width of what the value refers to, as a power of two.
const (
	flexInt         = 1
	flexUint        = 2
	flexIndirectInt = 6
	flexIndirectU   = 7
	flexMap         = 9
	flexBool        = 26
)

// flexBytes is a FlexBuffers value. Its references lead backwards.
type flexBytes []byte

func flexWidth(n int) bool { return n == 1 || n == 2 || n == 4 || n == 8 }

// uint reads an unsigned number of width bytes.
func (b flexBytes) uint(at, width int) (uint64, bool) {
	if at < 0 || at > len(b)-width {
		return 0, false
	}
	var raw [8]byte
	copy(raw[:], b[at:at+width])
	return binary.LittleEndian.Uint64(raw[:]), true
}

// int reads a signed number of width bytes.
func (b flexBytes) int(at, width int) (int64, bool) {
	n, ok := b.uint(at, width)
	shift := 64 - 8*width
	return int64(n<<shift) >> shift, ok
}

// behind returns the position that the reference at a position leads back to.
func (b flexBytes) behind(at, width int) (int, bool) {
	n, ok := b.uint(at, width)
	if !ok || n > uint64(at) {
		return 0, false
	}
	return at - int(n), true
}

// find looks a name up in the map whose values begin at a position. In front of the values
// lie the reference to the keys, the width of the keys, and the number of values; behind
// them lies a type byte for each.
func (b flexBytes) find(values, width int, name string) (int64, bool) {
	size, sized := b.uint(values-width, width)
	keyWidth, known := b.uint(values-2*width, width)
	keys, found := b.behind(values-3*width, width)
	if !sized || !known || !found || keyWidth > 8 || !flexWidth(int(keyWidth)) || size > uint64(len(b)) {
		return 0, false
	}
	for i := range int(size) {
		key, ok := b.behind(keys+i*int(keyWidth), int(keyWidth))
		if !ok {
			return 0, false
		}
		if b.named(key, name) {
			return b.number(values+i*width, width, values+int(size)*width+i)
		}
	}
	return 0, false
}

// named reports whether the key at a position, which ends with a zero, is name.
func (b flexBytes) named(at int, name string) bool {
	end := at + len(name)
	return end < len(b) && b[end] == 0 && string(b[at:end]) == name
}

// number reads a value as a whole number, by the type byte at another position.
func (b flexBytes) number(at, width, kindAt int) (int64, bool) {
	if kindAt >= len(b) {
		return 0, false
	}
	kind := b[kindAt]
	if t := kind >> 2; t == flexIndirectInt || t == flexIndirectU {
		target, ok := b.behind(at, width)
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
