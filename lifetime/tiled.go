package lifetime

import "fmt"

// Semantics defines when bytes are in use within a step.
type Semantics string

const (
	// Simultaneous means that the reads and writes of a step are in use together, for example
	// if one tile is loaded while another is stored. It is the meaning of an empty Semantics.
	Simultaneous Semantics = "simultaneous"
	// Atomic means that a step reads everything before it writes anything. A byte that it reads
	// for the last time may be one that it writes.
	Atomic Semantics = "atomic"
)

// A Tiled is a tensor that steps write and read in parts.
type Tiled struct {
	// ID identifies the tensor, Name is for display; both may be empty.
	ID, Name string
	// Size is in bytes. Align is the alignment of the offset, in bytes; zero and one both mean
	// any offset.
	Size, Align int64
	// Accesses are in order of their steps. A tensor that is not empty has at least one.
	Accesses []Access
	// Whole, if set, is a time during which all bytes are in use, in addition to their
	// accesses.
	Whole *Steps
}

// An Access is a step that reads or writes bytes [Lo, Hi) of a tensor, relative to its first
// byte. A network input is written in step 0, and an output is read in an additional last step.
type Access struct {
	Step   int
	Write  bool
	Lo, Hi int64
}

// Steps is the time from a writing to a reading step, both inclusive.
type Steps struct{ First, Last int }

// MaxStep is the largest step of an access.
const MaxStep = 1<<30 - 2

// An AccessError reports an invalid access of a tensor, by its index.
type AccessError struct {
	Access  int
	Problem string
}

func (e *AccessError) Error() string { return fmt.Sprintf("access %d: %s", e.Access, e.Problem) }

func accessError(access int, format string, args ...any) *AccessError {
	return &AccessError{access, fmt.Sprintf(format, args...)}
}
