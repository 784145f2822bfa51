//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package output

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// lock locks a file until it is closed or the process ends in any way. The error is [errBusy] if
// another process holds the lock, and another one if files cannot be locked.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errBusy
	}
	return err
}

// removeAbandoned removes a temporary file that no run has locked.
func removeAbandoned(name string) {
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return
	}
	f, err := os.OpenFile(name, os.O_RDWR|syscall.O_NOFOLLOW, 0) // some file systems do not lock read-only files
	if errors.Is(err, fs.ErrPermission) {
		f, err = os.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW, 0)
	}
	if err != nil {
		return
	}
	defer f.Close()
	if lock(f) == nil && stillNames(name, f) {
		os.Remove(name)
	}
}

// release prepares a file for renaming.
func release(*os.File) error { return nil }
