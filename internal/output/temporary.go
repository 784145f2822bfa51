package output

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
)

// Temporary names are short, so that they fit wherever the output's name does, and deterministic, so
// that the next run finds the files of a killed one. A run locks its temporary file: an unlocked one is
// abandoned.
const (
	temporaryPrefix = ".tflarena-"
	// maxTemporary is the number of runs that can write one output at the same time.
	maxTemporary = 100
	// swept is the number of names checked for abandoned files.
	swept = 4
)

// errBusy is the error for a file that another run has locked.
var errBusy = errors.New("is locked")

// temporaryPath returns the k-th temporary name for an output.
func temporaryPath(path string, k int) string {
	dir, base := filepath.Split(path)
	h := fnv.New64a()
	h.Write([]byte(base))
	return dir + fmt.Sprintf("%s%016x.%d", temporaryPrefix, h.Sum64(), k)
}

// sweep removes abandoned files of an output. It never fails: files that cannot be removed, as in
// another user's folder, do no harm.
func sweep(path string) {
	for k := range swept {
		removeAbandoned(temporaryPath(path, k))
	}
}

// stillNames reports whether a path still names an open file.
func stillNames(name string, f *os.File) bool {
	is, err := os.Lstat(name)
	if err != nil {
		return false
	}
	was, err := f.Stat()
	return err == nil && os.SameFile(is, was)
}

// withFreeName calls take with one temporary name after the other until one is free.
func withFreeName(path string, take func(name string) error) (name string, err error) {
	for k := range maxTemporary {
		name = temporaryPath(path, k)
		err = take(name)
		switch {
		case err == nil:
			return name, nil
		case !errors.Is(err, fs.ErrExist) && !errors.Is(err, errBusy):
			return "", err
		}
	}
	return "", fmt.Errorf("all temporary names, such as %s, are taken: remove them", name)
}

// createNamed makes a temporary file with a name.
func createNamed(path string, perm fs.FileMode) (f *os.File, name string, err error) {
	name, err = withFreeName(path, func(name string) error {
		f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if err != nil {
			return err
		}
		// Another run may have considered it abandoned before it was locked.
		if err := lock(f); errors.Is(err, errBusy) || !stillNames(name, f) {
			f.Close()
			return errBusy
		}
		return nil
	})
	return f, name, err
}
