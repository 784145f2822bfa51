package rewrite

import "fmt"

// A FaultError is a fault of this project, and not of the model: a new file is not what it was to
// be. Packages improve and fit return it.
type FaultError struct{ Err error }

func (e *FaultError) Error() string { return fmt.Sprintf("fault in the new file: %v", e.Err) }
func (e *FaultError) Unwrap() error { return e.Err }
