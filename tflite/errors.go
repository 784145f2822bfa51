package tflite

import (
	"errors"
	"fmt"
)

// ErrInvalid is wrapped by every [Error]: the file is not a valid model.
var ErrInvalid = errors.New("not a valid TensorFlow Lite model")

// An Error is a problem in a file and its position.
type Error struct {
	// Path is the table and field, such as "subgraphs[0].tensors[7].shape"; empty for the whole
	// file.
	Path string
	// Offset is the absolute byte offset of the field in the file.
	Offset  int64
	Problem string
}

// Error returns "PATH at 0xOFFSET: PROBLEM".
func (e *Error) Error() string {
	path := e.Path
	switch {
	case path == "" && e.Offset == 0:
		return e.Problem // of the whole file
	case path == "":
		path = "file"
	}
	return fmt.Sprintf("%s at %#x: %s", path, e.Offset, e.Problem)
}

// Unwrap returns [ErrInvalid].
func (e *Error) Unwrap() error { return ErrInvalid }

// A Warning is an unusual property of a file that does not make it invalid. Path and Offset are
// as in [Error].
type Warning struct {
	Path   string
	Offset int64
	Text   string
}

// String returns "PATH at 0xOFFSET: TEXT".
func (w Warning) String() string {
	return (&Error{Path: w.Path, Offset: w.Offset, Problem: w.Text}).Error()
}
