//go:build !unix

package output

import (
	"io/fs"
	"os"
)

// openDescriptor returns a file of its own for a descriptor that this process was given.
func openDescriptor(fd int) (*os.File, error) {
	return nil, &fs.PathError{Op: "open", Path: canonicalDescriptor(fd), Err: fs.ErrNotExist}
}
