package lifetime

import "fmt"

// Semantics says when within a step bytes are in use.
type Semantics string

const (
	// Simultaneous: what a step reads and what it writes is in use together, as where one
	// tile is loaded while another is stored. It is what an empty Semantics means.
	Simultaneous Semantics = "simultaneous"
	// Atomic: a step reads everything before it writes anything. A byte that it reads for the
	// last time may be one that it writes.
	Atomic Semantics = "atomic"
)

// A Tiled is a tensor that steps write and read in parts.
type Tiled struct {
	// ID names the tensor for machines and Name for people; both may be empty.
	ID, Name string
	// Size is in bytes. Align is what its offset must be a multiple of, in bytes; zero and one
	// both mean any offset.
	Size, Align int64
	// Accesses are in order of their steps. A tensor that is not empty has at least one.
	Accesses []Access
	// Whole, when set, is a time for which all bytes are in use, besides that of their
	// accesses.
	Whole *Steps
}

// An Access is a step that reads or writes bytes [Lo, Hi) of a tensor, counted from its first
// byte. An input of a network is written in step 0, and an output is read in a last step of
// its own.
type Access struct {
	Step   int
	Write  bool
	Lo, Hi int64
}

// Steps is the time from a step that writes to one that reads, both inclusive.
type Steps struct{ First, Last int }

// MaxStep is the largest step that a tensor may be accessed in.
const MaxStep = 1<<30 - 2

// An AccessError says which access of a tensor makes no sense, by its index, and why.
type AccessError struct {
	Access  int
	Problem string
}

// Error returns the access and what is wrong with it.
func (e *AccessError) Error() string { return fmt.Sprintf("access %d: %s", e.Access, e.Problem) }

func accessError(access int, format string, args ...any) *AccessError {
	return &AccessError{access, fmt.Sprintf(format, args...)}
}
