package tflite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
)

// MapSize is the least size in bytes of a regular file that [Load] maps into memory: 64
// MiB. What is smaller is read, since a copy is safe from whatever becomes of the file.
const MapSize = 64 << 20

// ErrChanged is about a mapped file that was cut short while it was in use.
var ErrChanged = errors.New("the file changed while it was read: try again when nothing writes to it")

// Load returns the contents of an open file, which may be a pipe, from its beginning to
// its end. A regular file of [MapSize] or more is mapped into memory if the system can do
// that, so that it takes no memory that cannot be given back, and stays mapped until the
// process ends. Its contents must not be changed. They change with the file, and a read
// behind the end of one that was cut short is a fault: [Parse] returns [ErrChanged] then,
// and elsewhere [debug.SetPanicOnFault] makes it a panic that [IsFault] knows. All other
// files are read as by [ReadAll], which says what accept is for.
func Load(f *os.File, accept func(beginning []byte) error) ([]byte, error) {
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, &fs.PathError{Op: "read", Path: f.Name(), Err: errors.New("is a directory")}
	case !info.Mode().IsRegular():
		return ReadAll(f, -1, accept)
	}
	size := info.Size()
	if size < MapSize || size > min(MaxSize, math.MaxInt) {
		return ReadAll(f, size, accept)
	}
	if at, err := f.Seek(0, io.SeekCurrent); err != nil || at > 0 {
		return ReadAll(f, size, accept) // somebody has read a part of it
	}
	if accept != nil {
		first := make([]byte, beginning)
		if _, err := f.ReadAt(first, 0); err != nil {
			return nil, err
		}
		if err := accept(first); err != nil {
			return nil, err
		}
	}
	if data, err := mapFile(f, int(size)); err == nil {
		return data, nil
	}
	return ReadAll(f, size, accept)
}

// IsFault reports whether what was recovered from a panic is a read of memory that is not
// there, such as the end of a mapped file that was cut short.
func IsFault(recovered any) bool {
	fault, ok := recovered.(interface {
		error
		Addr() uintptr
	})
	return ok && fault.Addr() != 0
}

// failed returns the error for a panic of the reader.
func failed(recovered any) error {
	if IsFault(recovered) {
		return ErrChanged
	}
	return &Error{Problem: fmt.Sprintf("the reader failed: %v", recovered)}
}
