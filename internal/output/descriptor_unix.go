//go:build unix

package output

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// openDescriptor returns a separate file for an inherited descriptor.
func openDescriptor(fd int) (*os.File, error) {
	path := canonicalDescriptor(fd)
	fail := func(err error) (*os.File, error) { return nil, &fs.PathError{Op: "open", Path: path, Err: err} }
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || st.Mode&unix.S_IFMT == 0 {
		return fail(errors.New("no such file is open: redirect one, as in 3>FILE")) // files without a type are Go's own
	}
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	if err != nil {
		return fail(err)
	}
	if flags&unix.O_ACCMODE == unix.O_RDONLY {
		return fail(errors.New("is open only for reading"))
	}
	own, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return fail(err)
	}
	return os.NewFile(uintptr(own), path), nil
}
