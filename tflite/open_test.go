package tflite

import (
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

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

// A stream gives the same model as a file, however it is split.
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
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Operator{}, Tensor{})); diff != "" {
		t.Errorf("Parse and Read differ:\n%s", diff)
	}
	failure := errors.New("cable cut")
	if _, err := Read(iotest.ErrReader(failure), "<stdin>"); !errors.Is(err, failure) {
		t.Errorf("error %v", err)
	}
}

// ReadAll reads no more than the limit, and a wrong size does no harm.
func TestReadAll(t *testing.T) {
	const long = prefixBytes + 100
	for _, c := range []struct {
		length, expected, limit int64
		ok                      bool
	}{
		{100, 100, 100, true},
		{100, -1, 100, true},
		{100, 50, 100, true},
		{100, 1 << 62, 100, true},
		{101, 0, 100, false},
		{prefixBytes, prefixBytes, prefixBytes, true},
		{long, long, long, true},
		{long, -1, long, true},
		{long, 1 << 62, long, true},
		{long + 1, -1, long, false},
		{1 << 40, 0, 1 << 20, false},
	} {
		data, err := readAll(&zeros{left: c.length}, c.expected, c.limit, nil)
		if (err == nil) != c.ok || c.ok && int64(len(data)) != c.length {
			t.Errorf("%+v: %d B, %v", c, len(data), err)
		}
	}
}

// Only the beginning of a rejected input is read; a shorter input is not checked by it.
func TestReadAllAccepts(t *testing.T) {
	refusal := errors.New("no")
	refuse := func(data []byte) error {
		if len(data) != prefixBytes {
			t.Errorf("judged by %d B", len(data))
		}
		return refusal
	}
	for _, size := range []int64{-1, 1 << 40} {
		endless := &zeros{left: 1 << 40}
		if _, err := ReadAll(endless, size, refuse); !errors.Is(err, refusal) || endless.left != 1<<40-prefixBytes {
			t.Errorf("size %d: %v after %d B", size, err, 1<<40-endless.left)
		}
	}
	if data, err := ReadAll(&zeros{left: prefixBytes - 1}, -1, refuse); err != nil || len(data) != prefixBytes-1 {
		t.Errorf("%d B, %v", len(data), err)
	}
	if _, err := Read(&zeros{left: 1 << 40}, "zeros"); !errors.Is(err, ErrInvalid) {
		t.Errorf("zeros: %v", err)
	}
}

// A file of zeros that says it has 2 GiB is refused by its beginning.
func TestOpenSparse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sparse")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 2<<30); err != nil {
		t.Skip("left out: no sparse files here: ", err)
	}
	if _, err := Open(path); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "neither the file identifier") {
		t.Errorf("error %v", err)
	}
}

// What Parse takes is plausible, with and without its identifier; random bytes are
// not.
func TestPlausible(t *testing.T) {
	model := small()
	for _, anonymous := range []bool{false, true} {
		model.Anonymous = anonymous
		if err := Plausible(encode.Encode(model)); err != nil {
			t.Errorf("anonymous %v: %v", anonymous, err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		data := encode.Encode(small())
		if err := Plausible(append(data, rapid.SliceOf(rapid.Byte()).Draw(t, "behind")...)); err != nil {
			t.Fatal(err)
		}
		for i := range 8 {
			data[i] = rapid.Byte().Draw(t, "byte")
		}
		if _, err := Parse(data, "changed"); err == nil && Plausible(data) != nil {
			t.Fatalf("% x...: Parse takes it, but it is not plausible", data[:8])
		}
	})
	random := rand.New(rand.NewPCG(1, 2))
	taken := 0
	for range 200 {
		data := make([]byte, prefixBytes)
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		if Plausible(data) == nil {
			taken++
		}
	}
	if taken > 0 || Plausible(nil) == nil || Plausible(make([]byte, prefixBytes)) == nil || Plausible([]byte("\x00\x00\x00\x00TFL3")) == nil {
		t.Errorf("%d of random", taken)
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
		"\x08\x07\x12\x07pytorch\x1a\x051.9.0": "onnx2tf",
		"\x08\x01\x12\xff\x01\n":               "from_saved_model",
		"\n\x10\n\x01x\x12\x0bPlaceholder":     "from_frozen_graph",
		"LITERTLM\x01":                         "litert-lm-peek",
		"\x1f\x8b\x08":                         "gunzip",
		"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.": "litert-torch",
		"\n <!DOCTYPE html><html>":                 "web page",
		"twelve words: naïve, é":                   "text file",
		"some text that is longer than a word":     "not a TensorFlow Lite model",
	} {
		if _, err := Parse([]byte(text), "foreign"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}
