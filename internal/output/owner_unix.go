//go:build unix

package output

import (
	"io/fs"
	"os"
	"syscall"
)

// copyPermissions gives a new file the permissions of the file it replaces, and its owner and group if
// this user may set them. Setuid and setgid bits are dropped with the old contents, and if the group
// cannot be kept, the new group gets no more permissions than everybody.
func copyPermissions(f *os.File, old fs.FileInfo) error {
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

// OtherNames returns the number of other hard links to a file. They keep its old contents when it is
// replaced.
func OtherNames(path string) int {
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		if st, ok := info.Sys().(*syscall.Stat_t); ok {
			return max(int(st.Nlink)-1, 0)
		}
	}
	return 0
}
