//go:build unix

package output

import (
	"io/fs"
	"os"
	"syscall"
)

// adopt gives a new file the permissions of the one that it replaces, and its owner and
// group as far as this user may. The bits that let a program run as another user do not
// outlive its contents, and without the old group the new one may do no more than everybody.
func adopt(f *os.File, old fs.FileInfo) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	perm := old.Mode().Perm()
	is, known := info.Sys().(*syscall.Stat_t)
	want, wanted := old.Sys().(*syscall.Stat_t)
	if known && wanted && (is.Uid != want.Uid || is.Gid != want.Gid) &&
		f.Chown(int(want.Uid), int(want.Gid)) != nil && is.Gid != want.Gid && f.Chown(-1, int(want.Gid)) != nil {
		perm &= perm&^0o070 | perm&0o007<<3
	}
	return f.Chmod(perm)
}

// OtherNames returns how many other names, hard links, a file has. They keep its old
// contents when it is replaced.
func OtherNames(path string) int {
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		if st, ok := info.Sys().(*syscall.Stat_t); ok {
			return max(int(st.Nlink)-1, 0)
		}
	}
	return 0
}
