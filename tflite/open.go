package tflite

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"runtime/debug"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/schema"
)

const (
	// MaxSize is the size limit of files, in bytes: 4 GiB. The flatbuffer itself ends below 2
	// GiB; constants may be stored after it.
	MaxSize = 4 << 30
	// MaxStream is the size limit, in bytes, of inputs of unknown size, such as a pipe: 2 GiB.
	// A stream may never end.
	MaxStream = 2 << 30
)

// Open reads and verifies the model in a file, which may be a pipe. It maps a large file
// instead of copying it (see [Load]); the mapping lasts until the process ends. [Read] always
// copies. System errors are [*fs.PathError]; errors about the contents are [*Error].
func Open(path string) (*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := Load(f, Plausible)
	if err != nil {
		return nil, err
	}
	return Parse(data, path)
}

// Read reads and verifies a model from r until EOF; name identifies it in messages. Memory
// grows with the bytes received, up to [MaxStream].
func Read(r io.Reader, name string) (*Model, error) {
	data, err := ReadAll(r, -1, Plausible)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return Parse(data, name)
}

// prefixBytes is the number of bytes of a longer input that are checked before more is read.
const prefixBytes = 64 << 10

// ReadAll returns the bytes of r until EOF. size is the size in bytes of a regular file, and
// negative for a stream or a device. ReadAll reads up to [MaxSize] bytes of a file and up to
// [MaxStream] bytes of anything else; a longer input is an [*Error]. Memory grows with the
// bytes received; a known size only avoids reallocation.
//
// accept may be nil. Otherwise, ReadAll calls it with the first 64 KiB of an input that has at
// least as many bytes, and stops with its error: an endless device must be rejected before it
// fills the memory.
func ReadAll(r io.Reader, size int64, accept func(beginning []byte) error) ([]byte, error) {
	limit := int64(MaxSize)
	if size < 0 {
		limit = MaxStream
	}
	return readAll(r, size, min(limit, math.MaxInt/2), accept)
}

func readAll(r io.Reader, expected, limit int64, accept func([]byte) error) ([]byte, error) {
	var b bytes.Buffer
	first := min(prefixBytes, limit+1)
	n, err := b.ReadFrom(io.LimitReader(r, first))
	if err != nil || n < first {
		return b.Bytes(), err
	}
	if accept != nil && n == prefixBytes {
		if err := accept(b.Bytes()); err != nil {
			return nil, err
		}
	}
	const most = 1 << 28 // limit of the preallocation for a size that the file system reports
	b.Grow(int(max(min(expected, most)-n, 0)) + bytes.MinRead)
	rest, err := b.ReadFrom(io.LimitReader(r, limit+1-n))
	if err != nil {
		return nil, err
	}
	if n+rest > limit {
		return nil, &Error{Offset: limit, Problem: fmt.Sprintf("larger than %s, the most that is read", units.ExactBytes(limit))}
	}
	return b.Bytes(), nil
}

// Plausible returns an [*Error] if no longer model can begin with these bytes; 64 KiB suffice.
// It checks that the reference to the root table has a plausible target. In a file without the
// file identifier, the root table must be among these bytes, as every known writer puts it, and
// its vtable is checked too.
func Plausible(beginning []byte) error {
	if kind := foreignFormat(beginning); kind != "" {
		return &Error{Problem: kind}
	}
	v := &verifier{data: beginning, warn: &warnings{}}
	if isIdentified(beginning) {
		if root := v.u32(0); root == 0 || root%4 != 0 || root > maxFlatbuffer-4 {
			return &Error{Problem: fmt.Sprintf("%s: the root table cannot be at %d", notModel, root)}
		}
		return nil
	}
	if v.size() < 8 || v.u32(0) == 0 || v.u32(0)%4 != 0 || v.u32(0) > v.size()-4 || !v.plausibleTable(v.u32(0)) {
		return &Error{Problem: fmt.Sprintf("%s: it has neither the file identifier %q nor a root table at its beginning", notModel, schema.Identifier)}
	}
	return nil
}

// notModel begins the messages about files that are not models.
const notModel = "this is not a TensorFlow Lite model"

// plausibleTable reports whether a table can begin at pos; its vtable may be after the known
// bytes.
func (v *verifier) plausibleTable(pos int64) bool {
	at := pos - int64(int32(v.u32(pos)))
	if at < 0 || at > maxFlatbuffer-4 || at%2 != 0 {
		return false
	}
	if at > v.size()-4 {
		return true
	}
	length, size := v.u16(at), v.u16(at+2)
	return length >= 4 && length%2 == 0 && size >= 4
}

// Parse verifies the model in data. The model keeps data, which must not change afterwards.
// name identifies the model in messages. Errors are [*Error], which wrap [ErrInvalid] and do
// not contain the name. The exception is [ErrChanged], if data is a mapped file that was
// truncated.
func Parse(data []byte, name string) (*Model, error) {
	return guard(func() (*Model, error) { return parse(data, name) })
}

// guard calls f and converts a panic into an error.
func guard(f func() (*Model, error)) (m *Model, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if v := recover(); v != nil {
			m, err = nil, failed(v)
		}
	}()
	return f()
}

// parse is Parse without panic recovery. After verification, the accessors must not panic, and
// tests must see it if they do.
func parse(data []byte, name string) (*Model, error) {
	if kind := foreignFormat(data); kind != "" {
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
