package tflite

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "m.tflite")
	if err := os.WriteFile(path, encode.Encode(small()), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if m.Name != path || m.Description != "small" || !m.Identified || m.Version != schema.Version {
		t.Errorf("model %q, %q, %v, %d", m.Name, m.Description, m.Identified, m.Version)
	}
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var pathError *fs.PathError
	if _, err = Open(dir); !errors.As(err, &pathError) || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("directory: %v", err)
	}
	if _, err = Open(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	if _, err = Open(empty); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "empty") {
		t.Errorf("empty file: %v", err)
	}
}

// A stream gives the same model as a file, in whatever pieces it comes.
func TestRead(t *testing.T) {
	data := encode.Encode(small())
	want, err := Parse(data, "<stdin>")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(iotest.OneByteReader(strings.NewReader(string(data))), "<stdin>")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Operator{})); diff != "" {
		t.Errorf("Parse and Read differ:\n%s", diff)
	}
	failure := errors.New("cable cut")
	if _, err := Read(iotest.ErrReader(failure), "<stdin>"); !errors.Is(err, failure) {
		t.Errorf("error %v", err)
	}
}

// No more is read than the limit, and a size that is not true does no harm.
func TestReadAll(t *testing.T) {
	for _, c := range []struct {
		length, expected, limit int64
		ok                      bool
	}{
		{100, 100, 100, true},
		{100, 0, 100, true},
		{100, 50, 100, true},
		{100, 1 << 62, 100, true},
		{101, 0, 100, false},
		{1 << 40, 0, 1 << 20, false},
	} {
		data, err := readAll(&zeros{left: c.length}, c.expected, c.limit)
		if (err == nil) != c.ok || c.ok && int64(len(data)) != c.length {
			t.Errorf("%+v: %d B, %v", c, len(data), err)
		}
	}
}

// zeros is a stream of so many zero bytes.
type zeros struct{ left int64 }

func (z *zeros) Read(p []byte) (int, error) {
	if z.left == 0 {
		return 0, io.EOF
	}
	n := min(int64(len(p)), z.left)
	clear(p[:n])
	z.left -= n
	return int(n), nil
}

// The net under Parse makes an error of a panic.
func TestGuard(t *testing.T) {
	_, err := guard(func() (*Model, error) { panic("oh") })
	if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "oh") {
		t.Errorf("error %v", err)
	}
	m, err := guard(func() (*Model, error) { return &Model{Name: "m"}, nil })
	if err != nil || m.Name != "m" {
		t.Errorf("model %v, error %v", m, err)
	}
}

func TestForeign(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "empty",
		"version https://git-lfs.github.com":   "git-lfs pointer",
		"PK\x03\x04":                           "zip archive",
		"\x89HDF\r\n":                          "HDF5",
		"TFL3":                                 "too few",
		"some text that is longer than a word": "not a TensorFlow Lite model",
	} {
		if _, err := Parse([]byte(text), "foreign"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}
