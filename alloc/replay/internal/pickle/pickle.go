package pickle

import (
	"errors"
	"fmt"
)

// ErrInvalid is what every [Error] unwraps to: the file is no pickle of plain data.
var ErrInvalid = errors.New("not a pickle of plain data")

// An Error says what is wrong with a pickle, and where.
type Error struct {
	// Offset is the byte of the file at which the opcode begins that is wrong.
	Offset int64
	// Problem says what is wrong.
	Problem string
}

// Error returns "byte OFFSET: PROBLEM".
func (e *Error) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Problem) }

// Unwrap returns [ErrInvalid].
func (e *Error) Unwrap() error { return ErrInvalid }

// A Fold may take a dict out of the tree when it becomes an item of a list, and remember what
// it needs of it under a number of its own. The memory of the dict is then used again, so that
// a list of millions of dicts needs little. Where ok is false the dict stays. An error ends
// the reading.
type Fold func(t *Tree, dict Value) (token int, ok bool, err error)

// The memory that a tree may take is a part of the file's size, and at least leastMemory:
// pickles of data that anybody has need less, and a file made to need more is refused.
const (
	memoryFactor = 12
	leastMemory  = 1 << 18
)

// Decode reads a pickle. What follows its end is left alone, as Python does. Fold may be nil.
//
// The tree refers to data, which must not change. Besides data it takes at most 12 times as
// many bytes as data has, and 256 KiB; a pickle that would need more is an error. Errors are
// an [*Error], or what fold returns.
func Decode(data []byte, fold Fold) (*Tree, error) {
	m := &machine{data: data, tree: &Tree{data: data}, fold: fold, limit: max(memoryFactor*int64(len(data)), leastMemory)}
	if err := m.run(); err != nil {
		return nil, err
	}
	return m.tree, nil
}

// Looks reports whether the beginning of a file may be that of a pickle of a dict or a list: it
// has the header of protocol 2 or later, or begins as protocols 0 and 1 write one.
func Looks(beginning []byte) bool {
	if len(beginning) < 2 {
		return false
	}
	switch beginning[0] {
	case opProto:
		return beginning[1] <= maxProtocol
	case opEmptyDict, opEmptyList:
		return beginning[1] == opBinPut || beginning[1] == opMark || beginning[1] == opStop
	case opMark:
		return beginning[1] == opDict || beginning[1] == opList
	}
	return false
}
