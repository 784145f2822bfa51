package output

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// maxLinks is the largest number of symbolic links that are followed.
const maxLinks = 40

var errLinks = errors.New("too many symbolic links, or links that lead in a circle")

// Target returns the file that a path refers to: the path itself, or the end of a chain of symbolic
// links, which need not exist. An endless chain is an [fs.PathError].
func Target(path string) (string, error) {
	switch info, err := os.Stat(path); {
	case err == nil && !info.Mode().IsRegular():
		return path, nil // the target, such as the end of a pipe, may have no name
	case err == nil:
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return real, nil
		}
		return path, nil
	}
	at := path
	for range maxLinks {
		link, err := os.Readlink(at)
		if err != nil {
			return at, nil
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(folder(at), link)
		}
		at = link
	}
	return "", &fs.PathError{Op: "follow", Path: path, Err: errLinks}
}

// folder returns the folder of a path without symbolic links, so that ".." resolves as in the system.
func folder(path string) string {
	dir := filepath.Dir(path)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// same reports whether two paths are one file, which need not exist.
func same(a, b string) bool {
	if identity(a) == identity(b) {
		return true
	}
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && first.Mode().IsRegular() && os.SameFile(first, second)
}

// identity returns a common name of all paths to one file, except hard links.
func identity(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	} else if end, err := Target(path); err == nil {
		path = filepath.Join(folder(end), filepath.Base(end))
	}
	if absolute, err := filepath.Abs(path); err == nil {
		return absolute
	}
	return filepath.Clean(path)
}
