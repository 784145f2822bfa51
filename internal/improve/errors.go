package improve

import (
	"context"
	"errors"
	"fmt"
)

// ModelError reports a model for which no plan can be made.
type ModelError struct{ Err error }

func (e *ModelError) Error() string { return e.Err.Error() }
func (e *ModelError) Unwrap() error { return e.Err }

// DisorderError reports operators in an invalid order, which [Goal.Toposort] repairs: the model
// may compute something else then.
type DisorderError struct{ Err error }

func (e *DisorderError) Error() string {
	return fmt.Sprintf("the operators are in no valid order: %v", e.Err)
}

func (e *DisorderError) Unwrap() error { return e.Err }

// over reports whether an error is the end of a context.
func over(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}
