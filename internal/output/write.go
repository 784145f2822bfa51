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

// Streams are where standard output and standard error lead.
type Streams struct{ Stdout, Stderr io.Writer }

// Write writes all files or none. First all data is written to temporary files beside
// their places, which have no names if the system can do that (Linux) and else vanish with
// the next run; then to what is no regular file: standard output, open files, pipes and
// devices, which are written to as they are, and where nothing can be taken back; and only
// then are the files put in their places, each in one step. What fails on the way leaves
// every file as it was. Where one cannot be put in its place the others are put back, but
// for those on file systems without hard links, which the error names. A process killed
// while it puts several in their places leaves some old and some new, each of them whole.
//
// A file that exists keeps its permissions, and its owner and group as far as this user
// may set them; it must be writable. Bits that let a program run as another user, access
// lists and extended attributes do not stay, and other names of the old file, hard links,
// keep its old contents. A symbolic link keeps leading where it does, and what is there is
// replaced.
//
// A pipe that nobody reads cannot even be opened: the end of ctx ends the waiting. Errors
// are [*WriteError].
func Write(ctx context.Context, files []File, s Streams) error {
	var sources []Source
	for _, f := range files {
		sources = append(sources, f.source())
	}
	return WriteSources(ctx, sources, s)
}

// WriteSources is [Write] for contents that are made one after another, in the order of the sources. Where
// one cannot be made, nothing is written, as where it cannot be written.
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

// A transaction puts several files in their places.
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

// commit puts all files in their places, or all old ones back.
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

// collision is an error when a file's place is that of one before it, which their names
// do not show where large and small letters are the same.
func (t *transaction) collision(i int) error {
	for _, before := range t.staged[:i] {
		if names(t.staged[i].path, before.f) {
			return errors.New("is the same file as " + before.file.Path + ": give each its own path")
		}
	}
	return nil
}

// rollBack puts the old files back, and returns the paths of those where it cannot.
func (t *transaction) rollBack() (stayed []string) {
	for _, s := range t.staged {
		if !s.putBack() {
			stayed = append(stayed, s.file.Path)
		}
	}
	return stayed
}

// end removes what is left beside the places.
func (t *transaction) end() {
	for _, s := range t.staged {
		s.discard()
	}
}
