package tflite

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tflarena/tflarena/internal/encode"
)

// padded writes a model followed by zero bytes, up to size bytes, and opens the file.
func padded(t *testing.T, size int64) *os.File {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(t.TempDir(), "m.tflite"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if _, err := f.WriteAt(encode.Encode(small()), 0); err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(size); err != nil {
		t.Fatal(err)
	}
	return f
}

// follows reports whether the contents change with the file, so that they are not a copy.
func follows(t *testing.T, f *os.File, data []byte) bool {
	t.Helper()
	last := int64(len(data)) - 1
	if _, err := f.WriteAt([]byte{data[last] + 1}, last); err != nil {
		t.Fatal(err)
	}
	defer f.WriteAt([]byte{0}, last)
	return data[last] == 1
}

// Large files are mapped, small ones copied, and both give the same model.
func TestLoad(t *testing.T) {
	for size, mapped := range map[int64]bool{MapSize - 1: false, MapSize: true, MapSize + 12345: true} {
		f := padded(t, size)
		data, err := Load(f, Plausible)
		if err != nil || int64(len(data)) != size || follows(t, f, data) != mapped {
			t.Fatalf("%d B, %v; mapped: %v", len(data), err, !mapped)
		}
		got, err := Open(f.Name())
		if err != nil || follows(t, f, got.Data) != mapped {
			t.Fatal(err)
		}
		copied, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		want, err := Parse(copied, f.Name())
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Data, want.Data) {
			t.Error("the data differs")
		}
		got.Data, want.Data = nil, nil
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Operator{}, Tensor{})); diff != "" {
			t.Error(diff)
		}
	}
}

// A partly read file is read on, and not mapped from its start.
func TestLoadRest(t *testing.T) {
	f := padded(t, MapSize+10)
	if _, err := f.Seek(10, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if data, err := Load(f, nil); err != nil || len(data) != MapSize || follows(t, f, data) {
		t.Errorf("%d B, %v", len(data), err)
	}
}

// A large file is rejected by its beginning.
func TestLoadRefuses(t *testing.T) {
	f := padded(t, MapSize)
	failure := errors.New("no")
	var seen int
	if data, err := Load(f, func(b []byte) error { seen = len(b); return failure }); data != nil || !errors.Is(err, failure) || seen != prefixBytes {
		t.Errorf("%d B, %v, %d B seen", len(data), err, seen)
	}
}

// A truncated mapped file is an error, not a crash: for the verifier, for the decoder, and for
// callers that enable panics.
func TestCutShort(t *testing.T) {
	f := padded(t, MapSize)
	data, err := Load(f, Plausible)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(0); err != nil {
		t.Skip("left out: a mapped file cannot be cut short here: ", err)
	}
	if _, err := Parse(data, f.Name()); !errors.Is(err, ErrChanged) || errors.Is(err, ErrInvalid) {
		t.Errorf("%v", err)
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if v := recover(); !IsFault(v) {
			t.Errorf("%v", v)
		}
	}()
	t.Errorf("%d bytes could be read", len(bytes.Clone(data)))
}

func TestIsFault(t *testing.T) {
	for _, v := range []any{nil, "x", errors.New("x")} {
		if IsFault(v) {
			t.Errorf("%v", v)
		}
	}
	defer func() {
		if v := recover(); IsFault(v) {
			t.Errorf("%v is a mistake of the program", v)
		}
	}()
	var m *Model
	t.Error(m.Name)
}
