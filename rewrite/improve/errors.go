package improve

import (
	"context"
	"errors"
	"fmt"
)

// A ModelError is about a model that no plan can be made for.
type ModelError struct{ Err error }

func (e *ModelError) Error() string { return e.Err.Error() }
func (e *ModelError) Unwrap() error { return e.Err }

// A DisorderError is about operators that are in no valid order, which [Goal.Toposort] mends:
// the model may compute something else then.
type DisorderError struct{ Err error }

func (e *DisorderError) Error() string {
	return fmt.Sprintf("the operators are in no valid order: %v", e.Err)
}

func (e *DisorderError) Unwrap() error { return e.Err }

// over reports whether an error says that a context has ended.
func over(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}
