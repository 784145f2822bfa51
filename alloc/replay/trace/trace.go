package trace

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/tflarena/tflarena/alloc/replay"
	"github.com/tflarena/tflarena/alloc/replay/internal/pickle"
)

// ErrInvalid is what every error about the contents of a file unwraps to.
var ErrInvalid = errors.New("not a valid trace")

// An Error says what is wrong with a trace, and where.
type Error struct {
	// Line counts the lines of a text from 1; 0 where the file is a snapshot. Offset is a
	// byte of a snapshot, -1 where the problem has no single place.
	Line   int
	Offset int64
	// Problem says what is wrong.
	Problem string
}

// Error returns "line LINE: PROBLEM" or "byte OFFSET: PROBLEM".
func (e *Error) Error() string {
	switch {
	case e.Line > 0:
		return fmt.Sprintf("line %d: %s", e.Line, e.Problem)
	case e.Offset >= 0:
		return fmt.Sprintf("byte %d: %s", e.Offset, e.Problem)
	}
	return e.Problem
}

// Unwrap returns [ErrInvalid].
func (e *Error) Unwrap() error { return ErrInvalid }

// The forms of files.
const (
	snapshotForm = "PyTorch snapshot"
	linesForm    = "JSON lines"
	tableForm    = "CSV"
)

// A File is a trace and the file that it came from.
type File struct {
	*replay.Trace
	// Form says what the file is, for people.
	Form string

	data []byte
}

// Read reads a trace. Data must not change as long as the trace is in use. Its errors unwrap to
// [ErrInvalid].
//
// Release may be nil. It is called for parts of a snapshot, from one byte to another, exclusive,
// that will hardly be read again, so that a mapped file of gigabytes takes no memory.
func Read(data []byte, release func(from, to int)) (*File, error) {
	f := &File{data: data}
	var err error
	switch {
	case pickle.Looks(data):
		f.Form = snapshotForm
		f.Trace, err = readSnapshot(data, release)
	case bytes.HasPrefix(bytes.TrimLeft(trimMark(data), " \t\r\n"), []byte("{")):
		f.Form = linesForm
		f.Trace, err = readLines(trimMark(data))
	default:
		f.Form = tableForm
		f.Trace, err = readTable(trimMark(data))
	}
	return f, err
}

// trimMark drops the byte order mark that spreadsheets write.
func trimMark(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) }

// Looks reports whether the beginning of a file may be that of a trace.
func Looks(beginning []byte) bool {
	text := bytes.TrimLeft(trimMark(beginning), " \t\r\n")
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return pickle.Looks(beginning) || bytes.HasPrefix(text, []byte("{")) || bytes.Contains(bytes.ToLower(line), []byte("event"))
}

// Profile returns the profile of one of the file's devices. An error about an event says where in
// the file it is.
func (f *File) Profile(d *replay.Device, granule int64) (*replay.Profile, error) {
	p, err := replay.NewProfile(d, granule)
	if e := (*replay.EventError)(nil); errors.As(err, &e) {
		return nil, f.located(e)
	}
	return p, err
}

// located says where an event of a snapshot is: the file is read once more, up to there.
func (f *File) located(e *replay.EventError) error {
	at := e.Event
	for _, d := range f.Devices {
		if d == e.Device {
			break
		}
		at += len(d.Events)
	}
	located := &Error{Offset: -1, Problem: e.Problem}
	if f.Form == snapshotForm {
		located.Offset = offsetOf(f.data, at)
	}
	return located
}
