package tiles

import (
	"fmt"

	"github.com/tflarena/tflarena/lifetime"
)

// A Problem is tensors, and what it means that a step reads and writes.
type Problem struct {
	Tensors   []Tensor
	Semantics Semantics
}

// The terms of a problem are those of package lifetime.
type (
	// A Tensor is a block of memory that steps access in parts.
	Tensor = lifetime.Tiled
	// An Access is a step that reads or writes some bytes of a tensor.
	Access = lifetime.Access
	// Steps is a time from one step to another, both inclusive.
	Steps = lifetime.Steps
	// Semantics says when within a step bytes are in use.
	Semantics = lifetime.Semantics
)

const (
	// Simultaneous: what a step reads and what it writes is in use together.
	Simultaneous = lifetime.Simultaneous
	// Atomic: a step reads everything before it writes anything.
	Atomic = lifetime.Atomic
	// MaxStep is the largest step that a problem may have.
	MaxStep = lifetime.MaxStep
)

// An Error says what of a problem makes no sense.
type Error struct {
	// Tensor is the index of the tensor, -1 where the error is about none. Access is the index
	// of one of its accesses, or -1.
	Tensor, Access int
	Problem        string
}

// Error returns the place and what is wrong there.
func (e *Error) Error() string {
	switch {
	case e.Tensor < 0:
		return e.Problem
	case e.Access < 0:
		return fmt.Sprintf("tensor %d: %s", e.Tensor, e.Problem)
	}
	return fmt.Sprintf("tensor %d, access %d: %s", e.Tensor, e.Access, e.Problem)
}

func wrong(tensor, access int, format string, args ...any) *Error {
	return &Error{tensor, access, fmt.Sprintf(format, args...)}
}

// validate reports the first thing that makes no sense, but for bytes that are read before
// they are written.
func (p Problem) validate() error {
	if p.Semantics != Simultaneous && p.Semantics != Atomic && p.Semantics != "" {
		return wrong(-1, -1, "no semantics %q: there are %q and %q", p.Semantics, Atomic, Simultaneous)
	}
	for i, t := range p.Tensors {
		switch {
		case t.Size < 0:
			return wrong(i, -1, "its size is %d: a size is not negative", t.Size)
		case t.Align < 0:
			return wrong(i, -1, "its alignment is %d: an alignment is not negative", t.Align)
		case t.Size > 0 && len(t.Accesses) == 0 && t.Whole == nil:
			return wrong(i, -1, "no step writes it")
		case t.Whole != nil && (t.Whole.First < 0 || t.Whole.First > t.Whole.Last || t.Whole.Last > MaxStep):
			return wrong(i, -1, "it is in use as a whole from step %d to %d: that is no time from 0 to %d", t.Whole.First, t.Whole.Last, MaxStep)
		}
		last := 0
		for k, a := range t.Accesses {
			switch {
			case a.Step < 0 || a.Step > MaxStep:
				return wrong(i, k, "step %d is not one of 0 to %d", a.Step, MaxStep)
			case a.Step < last:
				return wrong(i, k, "step %d comes after step %d: accesses are in order of their steps", a.Step, last)
			case a.Lo < 0 || a.Hi > t.Size:
				return wrong(i, k, "bytes [%d, %d) are not all within the tensor, which has %d", a.Lo, a.Hi, t.Size)
			case a.Lo >= a.Hi:
				return wrong(i, k, "bytes [%d, %d) are none", a.Lo, a.Hi)
			}
			last = a.Step
		}
	}
	return nil
}
