//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package output

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// lock locks a file until it is closed, or the process ends, however it does. The error
// is [errBusy] where another process holds it, and another one where files cannot be locked.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errBusy
	}
	return err
}

// reclaim removes a temporary file that no run holds any more.
func reclaim(name string) {
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return
	}
	f, err := os.OpenFile(name, os.O_RDWR|syscall.O_NOFOLLOW, 0) // some file systems lock no file that is only read
	if errors.Is(err, fs.ErrPermission) {
		f, err = os.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW, 0)
	}
	if err != nil {
		return
	}
	defer f.Close()
	if lock(f) == nil && names(name, f) {
		os.Remove(name)
	}
}

// release makes a file ready to be renamed.
func release(*os.File) error { return nil }
