package trace

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/tflarena/tflarena/alloc/replay"
	"github.com/tflarena/tflarena/alloc/replay/internal/pickle"
)

// ErrInvalid is wrapped by every error about the contents of a file.
var ErrInvalid = errors.New("not a valid trace")

// An Error describes an invalid trace.
type Error struct {
	// Line counts from 1 in text files; it is 0 for snapshots. Offset is a byte of a snapshot, or -1 if
	// the problem has no single place.
	Line    int
	Offset  int64
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

// The values of [File.Form].
const (
	snapshotForm = "PyTorch snapshot"
	linesForm    = "JSON lines"
	tableForm    = "CSV"
)

// A File is a trace with its file.
type File struct {
	*replay.Trace
	// Form is the format of the file, for reports.
	Form string

	data []byte
}

// Read reads a trace. Data must not change while the trace is in use. Errors wrap [ErrInvalid].
//
// Release may be nil. Read calls it for ranges [from, to) of a snapshot that will hardly be read again,
// so that a mapped file of gigabytes need not stay in memory.
func Read(data []byte, release func(from, to int)) (*File, error) {
	f := &File{data: data}
	var err error
	switch {
	case pickle.Looks(data):
		f.Form = snapshotForm
		f.Trace, err = readSnapshot(data, release)
	case bytes.HasPrefix(bytes.TrimLeft(trimBOM(data), " \t\r\n"), []byte("{")):
		f.Form = linesForm
		f.Trace, err = readLines(trimBOM(data))
	default:
		f.Form = tableForm
		f.Trace, err = readTable(trimBOM(data))
	}
	return f, err
}

// trimBOM removes the byte order mark that spreadsheets write.
func trimBOM(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) }

// Looks reports whether the beginning of a file looks like a trace.
func Looks(beginning []byte) bool {
	text := bytes.TrimLeft(trimBOM(beginning), " \t\r\n")
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return pickle.Looks(beginning) || bytes.HasPrefix(text, []byte("{")) || bytes.Contains(bytes.ToLower(line), []byte("event"))
}

// Profile returns the profile of one of the file's devices. An error about an event is an [*Error] with
// its place in the file.
func (f *File) Profile(d *replay.Device, granule int64) (*replay.Profile, error) {
	p, err := replay.NewProfile(d, granule)
	if e := (*replay.EventError)(nil); errors.As(err, &e) {
		return nil, f.located(e)
	}
	return p, err
}

// located returns an error with the place of the event. For a snapshot, it reads the file again.
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
