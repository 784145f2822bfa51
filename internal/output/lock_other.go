//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package output

import "os"

func lock(*os.File) error { return nil }

// removeAbandoned removes nothing, since files in use cannot be detected.
func removeAbandoned(string) {}

// release prepares a file for renaming.
func release(*os.File) error { return nil }
