package output

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// rename is a variable for tests of failures.
var rename = os.Rename

// A staged file is an output that is complete on disk, but not yet renamed.
type staged struct {
	file Source
	// path is the final path, with all symbolic links resolved.
	path string
	// old is the replaced file, or nil.
	old fs.FileInfo
	f   *os.File
	// name is its temporary name, "" while it has none.
	name string
	// backup is another name of the old file, "" while there is none.
	backup string
	placed bool
}

// stage writes a file in the folder of its path, without a name if the system supports that.
func stage(file Source, path string, old fs.FileInfo) (*staged, error) {
	if old != nil {
		// Replacing requires only write permission for the folder: a file that is itself read-only
		// should not be replaced.
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

// perm returns the initial permissions, before the user's umask.
func (s *staged) perm() fs.FileMode {
	if s.old != nil {
		return 0o600 // private until it has the permissions of the old file
	}
	return 0o666
}

// fill makes the data and writes it.
func (s *staged) fill() error {
	if s.old != nil {
		if err := copyPermissions(s.f, s.old); err != nil {
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

// ready names the file if it requires a name: only a named file can replace another.
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
	_ = lock(s.f) // so that no other run considers it abandoned
	name, err := withFreeName(s.path, func(name string) error { return giveName(s.f, name) })
	if err == nil {
		s.name = name
		return nil
	}
	// Some file systems create unnamed files but cannot name them.
	f, name, namedErr := createNamed(s.path, s.perm())
	if namedErr != nil {
		return err
	}
	s.f.Close()
	s.f, s.name = f, name
	return s.fill()
}

// keepOld gives the old file another name, so that it can be restored. It does nothing on file systems
// without hard links.
func (s *staged) keepOld() {
	if s.old == nil {
		return
	}
	if name, err := withFreeName(s.path, func(name string) error { return os.Link(s.path, name) }); err == nil {
		s.backup = name
	}
}

// place renames the file to its path.
func (s *staged) place() error {
	switch info, err := os.Lstat(s.path); {
	case err == nil && !info.Mode().IsRegular():
		return errors.New("is no longer a regular file, and is not replaced")
	case err == nil && s.old == nil:
		s.old = info // another process was faster
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

// putBack undoes place, and reports whether it succeeded.
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

// discard removes the temporary files.
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
