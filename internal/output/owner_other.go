//go:build !unix

package output

import (
	"io/fs"
	"os"
)

// copyPermissions gives a new file the permissions of the file it replaces, as far as the system
// supports them.
func copyPermissions(f *os.File, old fs.FileInfo) error {
	_ = f.Chmod(old.Mode().Perm()) // Windows has one permission bit, and the file need not be open for it
	return nil
}

// OtherNames returns the number of other hard links to a file, as far as known: 0 here.
func OtherNames(string) int { return 0 }
