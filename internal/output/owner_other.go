//go:build !unix

package output

import (
	"io/fs"
	"os"
)

// adopt gives a new file the permissions of the one that it replaces, as far as the system
// knows them.
func adopt(f *os.File, old fs.FileInfo) error {
	_ = f.Chmod(old.Mode().Perm()) // Windows has one bit of them, for which a file need not be open
	return nil
}

// OtherNames returns how many other names, hard links, a file has, as far as the system
// tells: 0 here.
func OtherNames(string) int { return 0 }
