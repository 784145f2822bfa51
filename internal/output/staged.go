package output

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// rename is a variable for tests of what happens when it fails, or never happens.
var rename = os.Rename

// A staged file is an output that is complete on the disk, and not yet in its place.
type staged struct {
	file Source
	// path is where it belongs: behind all symbolic links.
	path string
	// old is the file that it replaces, nil where there is none.
	old fs.FileInfo
	f   *os.File
	// name is its temporary name, "" while it has none.
	name string
	// backup is another name of the old file, "" while there is none.
	backup string
	placed bool
}

// stage writes a file beside its place, where it has no name if the system can do that.
func stage(file Source, path string, old fs.FileInfo) (*staged, error) {
	if old != nil {
		// Replacing takes no more than the right to write to the folder: a file that is
		// protected itself should not go by that.
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		f.Close()
	}
	sweep(path)
	s := &staged{file: file, path: path, old: old}
	var err error
	if s.f, err = createUnnamed(path, s.perm()); err != nil {
		s.f, s.name, err = createNamed(path, s.perm())
	}
	if err == nil {
		err = s.fill()
	}
	if err != nil {
		s.discard()
		return nil, err
	}
	return s, nil
}

// perm returns the permissions that the file begins with, before the user's mask.
func (s *staged) perm() fs.FileMode {
	if s.old != nil {
		return 0o600 // nobody else looks into it before it has those of the old file
	}
	return 0o666
}

// fill makes the data and writes it.
func (s *staged) fill() error {
	if s.old != nil {
		if err := adopt(s.f, s.old); err != nil {
			return err
		}
	}
	data, err := s.file.Make()
	if err != nil {
		return err
	}
	if _, err := s.f.Write(data); err != nil {
		return err
	}
	return s.f.Sync()
}

// ready gives the file a name where it needs one to be put in its place: nothing can
// replace a file but another name.
func (s *staged) ready() error {
	if s.old == nil {
		return nil
	}
	return s.giveTemporaryName()
}

func (s *staged) giveTemporaryName() error {
	if s.name != "" {
		return nil
	}
	_ = lock(s.f) // so that no other run takes it for abandoned
	name, err := free(s.path, func(name string) error { return giveName(s.f, name) })
	if err == nil {
		s.name = name
		return nil
	}
	// Some file systems make files without a name and never name them.
	f, name, namedErr := createNamed(s.path, s.perm())
	if namedErr != nil {
		return err
	}
	s.f.Close()
	s.f, s.name = f, name
	return s.fill()
}

// keepOld gives the old file another name, so that it can be put back. Where files have
// one name only, it cannot.
func (s *staged) keepOld() {
	if s.old == nil {
		return
	}
	if name, err := free(s.path, func(name string) error { return os.Link(s.path, name) }); err == nil {
		s.backup = name
	}
}

// place puts the file in its place.
func (s *staged) place() error {
	switch info, err := os.Lstat(s.path); {
	case err == nil && !info.Mode().IsRegular():
		return errors.New("is no longer a regular file, and is not replaced")
	case err == nil && s.old == nil:
		s.old = info // somebody was quicker
	}
	if s.old == nil && s.name == "" && giveName(s.f, s.path) == nil {
		s.placed = true
		return nil
	}
	if err := s.giveTemporaryName(); err != nil {
		return err
	}
	if err := release(s.f); err != nil {
		return err
	}
	err := rename(s.name, s.path)
	if errors.Is(err, syscall.EBUSY) {
		return errors.New("is a mount point and cannot be replaced: write to standard output, and redirect that")
	}
	if err == nil {
		s.name, s.placed = "", true
	}
	return err
}

// putBack undoes place, and reports whether it could.
func (s *staged) putBack() bool {
	switch {
	case !s.placed:
	case s.backup != "":
		if os.Rename(s.backup, s.path) == nil {
			s.placed, s.backup = false, ""
		}
	case s.old == nil:
		s.placed = os.Remove(s.path) != nil
	}
	return !s.placed
}

// discard removes what is left of the file beside its place.
func (s *staged) discard() {
	if s.f != nil {
		s.f.Close()
	}
	for _, name := range []string{s.name, s.backup} {
		if name != "" {
			os.Remove(name)
		}
	}
}
