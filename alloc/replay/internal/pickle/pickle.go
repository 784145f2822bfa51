package pickle

import (
	"errors"
	"fmt"
)

// ErrInvalid is wrapped by every [Error].
var ErrInvalid = errors.New("not a pickle of plain data")

// An Error describes an invalid pickle.
type Error struct {
	Offset  int64 // of the opcode
	Problem string
}

// Error returns "byte OFFSET: PROBLEM".
func (e *Error) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Problem) }

// Unwrap returns [ErrInvalid].
func (e *Error) Unwrap() error { return ErrInvalid }

// A Fold may take a dict out of the tree when it becomes an item of a list, and replace it with a token
// of its own. The memory of the dict is reused, so that a list of millions of dicts needs little. If ok
// is false, the dict stays. An error ends [Decode].
type Fold func(t *Tree, dict Value) (token int, ok bool, err error)

// The memory limit is memoryFactor times the file's size, and at least leastMemory. Real pickles need
// less; hostile ones that need more are errors.
const (
	memoryFactor = 12
	leastMemory  = 1 << 18
)

// Decode reads a pickle. Like Python, it ignores data after its end. Fold may be nil.
//
// The tree refers to data, which must not change. In addition it takes at most 12 times the size of
// data, or 256 KiB if that is more; a pickle that needs more is an error. Errors are [*Error], or come
// from fold.
func Decode(data []byte, fold Fold) (*Tree, error) {
	m := &machine{data: data, tree: &Tree{data: data}, fold: fold, limit: max(memoryFactor*int64(len(data)), leastMemory)}
	if err := m.run(); err != nil {
		return nil, err
	}
	return m.tree, nil
}

// Looks reports whether the beginning of a file looks like a pickle of a dict or a list: it has the
// header of protocol 2 or later, or the first opcodes of protocols 0 and 1.
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
