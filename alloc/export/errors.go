package export

import (
	"errors"
	"fmt"
	"strings"
)

// ErrPlan is what errors about plans that cannot be written unwrap to: parts of the plan do not
// fit together, or it lacks what the form needs.
var ErrPlan = errors.New("the plan cannot be written")

// planError reads as its text alone and unwraps to [ErrPlan].
type planError struct{ text string }

func (e *planError) Error() string { return e.text }
func (e *planError) Unwrap() error { return ErrPlan }

func planErrorf(format string, args ...any) error {
	return &planError{fmt.Sprintf(format, args...)}
}

// An UnknownFormatError says that no form has a name.
type UnknownFormatError struct{ Name string }

// Error lists the names of all forms.
func (e *UnknownFormatError) Error() string {
	return fmt.Sprintf("unknown format %q (known: %s)", e.Name, strings.Join(Names(), ", "))
}
