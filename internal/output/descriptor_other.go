//go:build !unix

package output

import (
	"io/fs"
	"os"
)

// openDescriptor returns a separate file for an inherited descriptor.
func openDescriptor(fd int) (*os.File, error) {
	return nil, &fs.PathError{Op: "open", Path: canonicalDescriptor(fd), Err: fs.ErrNotExist}
}
