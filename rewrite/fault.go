package rewrite

import "fmt"

// FaultError is an internal error of this project, not of the model: a new file differs from
// what was intended. Packages improve and fit return it.
type FaultError struct{ Err error }

func (e *FaultError) Error() string { return fmt.Sprintf("fault in the new file: %v", e.Err) }
func (e *FaultError) Unwrap() error { return e.Err }
