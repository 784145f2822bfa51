package tflite

import (
	"errors"
	"fmt"
)

// ErrInvalid is the error that every [Error] unwraps to: the file is not a valid model.
var ErrInvalid = errors.New("not a valid TensorFlow Lite model")

// An Error says what is wrong with a file and where.
type Error struct {
	// Path is the table and field, such as "subgraphs[0].tensors[7].shape";
	// empty for the file as a whole.
	Path string
	// Offset is the absolute byte offset of the field in the file.
	Offset int64
	// Problem says what is wrong.
	Problem string
}

// Error returns "PATH at 0xOFFSET: PROBLEM".
func (e *Error) Error() string {
	path := e.Path
	if path == "" {
		path = "file"
	}
	return fmt.Sprintf("%s at %#x: %s", path, e.Offset, e.Problem)
}

// Unwrap returns [ErrInvalid].
func (e *Error) Unwrap() error { return ErrInvalid }

// A Warning describes something unusual about a file that does not make it invalid. Its
// Path and Offset are like those of [Error].
type Warning struct {
	Path   string
	Offset int64
	Text   string
}

// String returns "PATH at 0xOFFSET: TEXT".
func (w Warning) String() string {
	return (&Error{Path: w.Path, Offset: w.Offset, Problem: w.Text}).Error()
}
