package tflite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
)

// MapSize is the size in bytes, 64 MiB, from which [Load] maps a regular file into memory.
// Smaller files are copied, because a copy cannot change with the file.
const MapSize = 64 << 20

// ErrChanged reports that a mapped file was truncated while in use.
var ErrChanged = errors.New("the file changed while it was read: try again when nothing writes to it")

// Load returns the contents of an open file, which may be a pipe, from beginning to end. If the
// system supports it, Load maps a regular file of [MapSize] bytes or more into memory. The
// mapping lasts until the process ends, and the system can reclaim its memory at any time. The
// caller must not modify the bytes. They change with the file, and reading after the end of a
// truncated file is a fault: [Parse] then returns [ErrChanged]; elsewhere
// [debug.SetPanicOnFault] turns the fault into a panic that [IsFault] recognises. Load reads
// all other files with [ReadAll], which documents accept.
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
		return ReadAll(f, size, accept) // already partly read
	}
	if accept != nil {
		first := make([]byte, prefixBytes)
		if _, err := f.ReadAt(first, 0); err != nil {
			return nil, err
		}
		if err := accept(first); err != nil {
			return nil, err
		}
	}
	if data, err := mapFile(f, int(size)); err == nil {
		mappings.Store(&data[0], len(data))
		return data, nil
	}
	return ReadAll(f, size, accept)
}

// IsFault reports whether a value recovered from a panic is an invalid memory access, such as a
// read after the end of a truncated mapped file.
func IsFault(recovered any) bool {
	fault, ok := recovered.(interface {
		error
		Addr() uintptr
	})
	return ok && fault.Addr() != 0
}

// failed returns the error for a recovered panic of the reader.
func failed(recovered any) error {
	if IsFault(recovered) {
		return ErrChanged
	}
	return &Error{Problem: fmt.Sprintf("the reader failed: %v", recovered)}
}
