package tiles

import (
	"fmt"

	"github.com/tflarena/tflarena/lifetime"
)

// A Problem is tensors in tiles, and when within a step their bytes are in use.
type Problem struct {
	Tensors   []lifetime.Tiled
	Semantics lifetime.Semantics
}

// An Error describes an invalid problem.
type Error struct {
	// Tensor is the index of a tensor, and Access the index of one of its accesses; -1 means none.
	Tensor, Access int
	Problem        string
}

// Error returns "tensor INDEX, access INDEX: PROBLEM".
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

// validate returns an error about the first invalid value. It does not find bytes that are read
// before they are written; [lifetime.Tiled.Lives] does.
func (p Problem) validate() error {
	if p.Semantics != lifetime.Simultaneous && p.Semantics != lifetime.Atomic && p.Semantics != "" {
		return wrong(-1, -1, "no semantics %q: there are %q and %q", p.Semantics, lifetime.Atomic, lifetime.Simultaneous)
	}
	for i, t := range p.Tensors {
		switch {
		case t.Size < 0:
			return wrong(i, -1, "its size is %d: a size is not negative", t.Size)
		case t.Align < 0:
			return wrong(i, -1, "its alignment is %d: an alignment is not negative", t.Align)
		case t.Size > 0 && len(t.Accesses) == 0 && t.Whole == nil:
			return wrong(i, -1, "no step writes it")
		case t.Whole != nil && (t.Whole.First < 0 || t.Whole.First > t.Whole.Last || t.Whole.Last > lifetime.MaxStep):
			return wrong(i, -1, "it is in use as a whole from step %d to %d: that is no time from 0 to %d", t.Whole.First, t.Whole.Last, lifetime.MaxStep)
		}
		last := 0
		for k, a := range t.Accesses {
			switch {
			case a.Step < 0 || a.Step > lifetime.MaxStep:
				return wrong(i, k, "step %d is not one of 0 to %d", a.Step, lifetime.MaxStep)
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
