package pickle

import (
	"encoding/binary"
	"math"
	"strconv"
)

// A Tree has the values of a pickle. References may be cyclic.
type Tree struct {
	// Root is the value that was pickled.
	Root Value

	data []byte
	store
	wide []int64
}

// Len returns the number of items of a list, tuple or set, the number of keys of a dict, and 0 for other
// values.
func (t *Tree) Len(v Value) int {
	if !v.isContainer() {
		return 0
	}
	n := int(t.headers.at(v.payload()).n)
	if v.kind() == Dict {
		return n / 2
	}
	return n
}

// Items returns the items of a list, tuple or set. The slice is read-only, and valid until a [Fold]
// returns.
func (t *Tree) Items(v Value) []Value {
	if !v.isContainer() || v.kind() == Dict {
		return nil
	}
	return t.cellsOf(v.payload())
}

// Pairs returns alternating keys and values of a dict, in the order of assignment. If a key occurs twice,
// the later value counts. The slice is read-only, and valid until a [Fold] returns.
func (t *Tree) Pairs(v Value) []Value {
	if v.kind() != Dict {
		return nil
	}
	return t.cellsOf(v.payload())
}

// Get returns the value of a key of a dict. ok is false if v is no dict or has no such key.
func (t *Tree) Get(v Value, key string) (value Value, ok bool) {
	pairs := t.Pairs(v)
	for i := len(pairs) - 2; i >= 0; i -= 2 {
		if t.Is(pairs[i], key) {
			return pairs[i+1], true
		}
	}
	return 0, false
}

// Int returns an integer that fits into an int64. True and false are 1 and 0, as in Python.
func (t *Tree) Int(v Value) (n int64, ok bool) {
	switch v.kind() {
	case Int:
		return int64(v) << (64 - payloadBits) >> (64 - payloadBits), true
	case Bool:
		return int64(v.payload()), true
	case wide:
		return t.wide[v.payload()], true
	}
	return 0, false
}

func (t *Tree) Float(v Value) (x float64, ok bool) {
	if v.kind() != Float {
		return 0, false
	}
	at := v.payload()
	if t.data[at] == opBinFloat {
		return math.Float64frombits(binary.BigEndian.Uint64(t.data[at+1:])), true
	}
	line, _ := lineOf(t.data, at+1)
	x, err := strconv.ParseFloat(string(line), 64)
	return x, err == nil
}

// Token returns what the [Fold] returned for a dict.
func (t *Tree) Token(v Value) (token int, ok bool) {
	if v.kind() == Dict { // a reference of another list or the memo
		h := t.headers.at(v.payload())
		return int(h.block), h.class() == foldedClass
	}
	return v.payload(), v.kind() == Folded
}

// Number returns a number that identifies a list, for [Tree.ListOf].
func (t *Tree) Number(list Value) (number int, ok bool) { return list.payload(), list.kind() == List }

// ListOf returns the list with a number from [Tree.Number], or nil.
func (t *Tree) ListOf(number int) []Value {
	if number < 0 || number >= t.headers.n {
		return nil
	}
	return t.cellsOf(number)
}

// Offset returns the offset in the file of a value, or -1 if the value does not keep it.
func (t *Tree) Offset(v Value) int64 {
	switch k := v.kind(); {
	case v.isContainer():
		return int64(t.headers.at(v.payload()).place & placeMask)
	case k == Text || k == Bytes || k == Float || k == Large:
		return int64(v.payload())
	}
	return -1
}
