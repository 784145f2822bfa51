package app

// An InputError is a fault of an input: what it says cannot be planned, whatever the options.
type InputError struct{ Err error }

func (e *InputError) Error() string { return e.Err.Error() }

func (e *InputError) Unwrap() error { return e.Err }
