package tflite

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
)

const (
	// MaxSize is the largest file, in bytes, that is read: 4 GiB. The flatbuffer
	// itself ends below 2 GiB; constants may lie behind it.
	MaxSize = 4 << 30
	// MaxStream is the most, in bytes, that is read of what does not tell its size
	// beforehand: 2 GiB. A stream may never end.
	MaxStream = 2 << 30
)

// Open reads and verifies the model in a file, which may be a pipe. Errors of the
// system are [fs.PathError]; what is wrong with the contents is an [*Error].
func Open(path string) (*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("is a directory")}
	}
	limit := int64(MaxStream)
	if info.Mode().IsRegular() {
		limit = MaxSize
	}
	data, err := readAll(f, info.Size(), limit)
	if err != nil {
		return nil, err
	}
	return Parse(data, path)
}

// Read reads and verifies a model from r until its end; name is what messages call
// it. Memory grows with what arrives, up to [MaxStream].
func Read(r io.Reader, name string) (*Model, error) {
	data, err := readAll(r, 0, MaxStream)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return Parse(data, name)
}

// readAll reads until the end, and refuses to read more than limit bytes. The
// expected size only saves growing.
func readAll(r io.Reader, expected, limit int64) ([]byte, error) {
	limit = min(limit, math.MaxInt/2)
	var b bytes.Buffer
	if expected <= limit {
		b.Grow(int(expected) + bytes.MinRead)
	}
	n, err := b.ReadFrom(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, err
	}
	if n > limit {
		return nil, &Error{Offset: limit, Problem: fmt.Sprintf("larger than %d B, the most that is read", limit)}
	}
	return b.Bytes(), nil
}

// Parse verifies the model in data, which the model keeps and must not change any
// more; name is what messages call it. An error is an [*Error], which unwraps to
// [ErrInvalid], and is about data alone: it does not contain the name.
func Parse(data []byte, name string) (*Model, error) {
	return guard(func() (*Model, error) { return parse(data, name) })
}

// guard calls f and turns a panic into an error.
func guard(f func() (*Model, error)) (m *Model, err error) {
	defer func() {
		if v := recover(); v != nil {
			m, err = nil, &Error{Problem: fmt.Sprintf("the reader failed: %v", v)}
		}
	}()
	return f()
}

// parse is Parse without its net: what the verifier let through must not make the
// accessors panic, and tests want to see it when it does.
func parse(data []byte, name string) (*Model, error) {
	if kind := foreign(data); kind != "" {
		return nil, &Error{Problem: kind}
	}
	v, err := verify(data)
	if err != nil {
		return nil, err
	}
	m, err := decode(data, name, v)
	if err != nil {
		return nil, err
	}
	m.Warnings = v.warn.all()
	return m, nil
}

// foreign returns what a file is that people often take for a model, or "".
func foreign(data []byte) string {
	switch {
	case len(data) == 0:
		return "the file is empty"
	case bytes.HasPrefix(data, []byte("version https://git-lfs")):
		return "this is a git-lfs pointer, not the model itself (git lfs pull fetches it)"
	case bytes.HasPrefix(data, []byte(zipLocalHeader)):
		return "this is a zip archive, not a model"
	case bytes.HasPrefix(data, []byte("\x89HDF")):
		return "this is an HDF5 file, not a TensorFlow Lite model; convert it first"
	}
	return ""
}
