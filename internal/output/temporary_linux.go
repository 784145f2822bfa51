package output

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// createUnnamed creates an unnamed file in the folder of an output, which vanishes with the process. It
// fails if the file system does not support that, or without a /proc to name it by.
var createUnnamed = func(path string, perm fs.FileMode) (*os.File, error) {
	fd, err := unix.Open(filepath.Dir(path), unix.O_TMPFILE|unix.O_WRONLY|unix.O_CLOEXEC, uint32(perm.Perm()))
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), path)
	var is, was unix.Stat_t
	err = unix.Stat(magicLink(f), &is)
	if err == nil {
		err = unix.Fstat(fd, &was)
	}
	if err == nil && (is.Dev != was.Dev || is.Ino != was.Ino) {
		err = unix.ENOENT
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// giveName names a file of [createUnnamed]. An existing name is an error.
func giveName(f *os.File, name string) error {
	err := unix.Linkat(unix.AT_FDCWD, magicLink(f), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW)
	if err != nil {
		return &fs.PathError{Op: "link", Path: name, Err: err}
	}
	return nil
}

// magicLink returns the path of an open file that has no name.
func magicLink(f *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", f.Fd()) }
