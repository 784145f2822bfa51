package export

import (
	"errors"
	"fmt"
	"strings"
)

// ErrPlan is the error for plans that cannot be written: parts of the plan contradict each other, or it
// lacks data that the format requires.
var ErrPlan = errors.New("the plan cannot be written")

// planError prints as its text alone and unwraps to [ErrPlan].
type planError struct{ text string }

func (e *planError) Error() string { return e.text }
func (e *planError) Unwrap() error { return ErrPlan }

func planErrorf(format string, args ...any) error {
	return &planError{fmt.Sprintf(format, args...)}
}

// An UnknownFormatError is the error for an unknown format name.
type UnknownFormatError struct{ Name string }

// Error lists the names of all formats.
func (e *UnknownFormatError) Error() string {
	return fmt.Sprintf("unknown format %q (known: %s)", e.Name, strings.Join(Names(), ", "))
}
