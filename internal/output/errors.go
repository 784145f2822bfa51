package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// A WriteError is the error of an output that could not be written.
type WriteError struct {
	// Path is as in [Spec].
	Path string
	Err  error
	// Stayed are the other outputs that had already been replaced and could not be restored.
	Stayed []string
}

// Error returns "PATH: PROBLEM", without the temporary file and the failed system call.
func (e *WriteError) Error() string {
	err, op := e.Err, ""
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		err, op = p.Err, p.Op
	}
	if l := (*os.LinkError)(nil); errors.As(err, &l) {
		err = l.Err
	}
	text := fmt.Sprintf("%s: %v", place(e.Path), err)
	switch {
	case errors.Is(err, fs.ErrPermission) && op != "write":
		text += "; allow this user to write the file and to make files beside it, or choose another path"
	case errors.Is(err, fs.ErrNotExist):
		text += "; make its folder first"
	}
	if len(e.Stayed) > 0 {
		text += "; these files were already written, and could not be put back: " + strings.Join(e.Stayed, ", ")
	}
	return text
}

func (e *WriteError) Unwrap() error { return e.Err }
