package output

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteFile writes data to path in one step: a file that exists keeps its
// permissions and is replaced only once all data is on the disk. A symbolic link
// keeps pointing to the file that is replaced. What is no regular file, such as a
// pipe or a device, is written to as it is. Errors are [fs.PathError] or wrap one.
func WriteFile(path string, data []byte) error {
	path = Target(path)
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return &fs.PathError{Op: "write", Path: path, Err: fmt.Errorf("is a directory")}
	case err == nil && !info.Mode().IsRegular():
		return writeThrough(path, data)
	}
	return replace(path, data)
}

// Target returns the file that a path leads to: the path itself, or what is behind it
// when it is a symbolic link, which need not exist.
func Target(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	link, err := os.Readlink(path)
	if err != nil {
		return path
	}
	if !filepath.IsAbs(link) {
		link = filepath.Join(filepath.Dir(path), link)
	}
	return link
}

func writeThrough(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// same reports whether two paths are one file.
func same(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && first.Mode().IsRegular() && os.SameFile(first, second)
}
