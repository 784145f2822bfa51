package output

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
)

// A File is an output with its contents.
type File struct {
	// Path is as in [Spec].
	Path string
	Data []byte
}

func (f File) source() Source { return Source{f.Path, func() ([]byte, error) { return f.Data, nil }} }

// A Source is an output whose contents are made when they are written, so that the contents of many
// files are never in memory together. Make may be called again, and has to return the same contents.
type Source struct {
	// Path is as in [Spec].
	Path string
	Make func() ([]byte, error)
}

// Streams are standard output and standard error.
type Streams struct{ Stdout, Stderr io.Writer }

// Write writes all files or none. First it writes all data to temporary files in the same folders,
// which are unnamed if the system supports that (Linux) and are otherwise removed by the next run. Then
// it writes directly to destinations other than regular files: standard output, open files, pipes and
// devices, where nothing can be undone. Only then it renames the files, each atomically. An error
// before that leaves every file unchanged. If a file cannot be renamed, the others are restored, except
// on file systems without hard links, which the error names. A process killed while it renames several
// files leaves some old and some new, each of them complete.
//
// An existing file keeps its permissions, and its owner and group if this user may set them; it must be
// writable. Setuid and setgid bits, access lists and extended attributes are lost, and other hard links
// keep the old contents. A symbolic link stays, and its target is replaced.
//
// Opening a pipe without a reader blocks until ctx ends. Errors are [*WriteError].
func Write(ctx context.Context, files []File, s Streams) error {
	var sources []Source
	for _, f := range files {
		sources = append(sources, f.source())
	}
	return WriteSources(ctx, sources, s)
}

// WriteSources is [Write] for contents that are made one after another, in the order of the sources. If
// one cannot be made, nothing is written.
func WriteSources(ctx context.Context, files []Source, s Streams) error {
	var t transaction
	defer t.end()
	var streams []Source
	for _, file := range files {
		stream, err := t.stage(file)
		if err != nil {
			return &WriteError{Path: file.Path, Err: err}
		}
		if stream {
			streams = append(streams, file)
		}
	}
	if len(t.staged) > 0 && len(streams) > 0 {
		defer surviveBrokenPipe()()
	}
	for _, file := range streams {
		if err := stream(ctx, file, s); err != nil {
			return &WriteError{Path: file.Path, Err: err}
		}
	}
	return t.commit()
}

// A transaction renames several files.
type transaction struct{ staged []*staged }

// stage prepares a file, unless it is a stream.
func (t *transaction) stage(file Source) (isStream bool, err error) {
	if IsStream(file.Path) {
		return true, nil
	}
	path, err := Target(file.Path)
	if err != nil {
		return false, err
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		info = nil
	case err != nil:
		return false, err
	case info.IsDir():
		return false, errors.New("is a directory; name a file in it")
	}
	s, err := stage(file, path, info)
	if err == nil {
		t.staged = append(t.staged, s)
	}
	return false, err
}

// commit renames all files, or restores all old ones.
func (t *transaction) commit() error {
	for _, s := range t.staged {
		if err := s.ready(); err != nil {
			return &WriteError{Path: s.file.Path, Err: err}
		}
	}
	for i, s := range t.staged {
		if len(t.staged) > 1 {
			s.keepOld()
		}
		err := t.collision(i)
		if err == nil {
			err = s.place()
		}
		if err != nil {
			return &WriteError{Path: s.file.Path, Err: err, Stayed: t.rollBack()}
		}
	}
	return nil
}

// collision returns an error if a file has the path of an earlier one, which their names do not show on
// case-insensitive file systems.
func (t *transaction) collision(i int) error {
	for _, before := range t.staged[:i] {
		if stillNames(t.staged[i].path, before.f) {
			return errors.New("is the same file as " + before.file.Path + ": give each its own path")
		}
	}
	return nil
}

// rollBack restores the old files, and returns the paths of those it cannot.
func (t *transaction) rollBack() (stayed []string) {
	for _, s := range t.staged {
		if !s.putBack() {
			stayed = append(stayed, s.file.Path)
		}
	}
	return stayed
}

// end removes temporary files.
func (t *transaction) end() {
	for _, s := range t.staged {
		s.discard()
	}
}
