package sample

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/tflite"
)

// OpenFile returns the model in a file, or nil if it is invalid.
func OpenFile(t *testing.T, path string) *tflite.Model {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := tflite.Parse(data, path)
	if err != nil {
		return nil
	}
	return m
}

// CheckZip fails if a zip archive at the end of a differs in b.
func CheckZip(t *testing.T, a, b []byte) {
	t.Helper()
	x, err := zip.NewReader(bytes.NewReader(a), int64(len(a)))
	if err != nil {
		return
	}
	y, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatalf("the zip archive does not open any more: %v", err)
	}
	if diff := cmp.Diff(unpack(t, x), unpack(t, y)); diff != "" {
		t.Errorf("the zip archive differs:\n%s", diff)
	}
}

func unpack(t *testing.T, r *zip.Reader) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, f := range r.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		out[f.Name] = string(data)
	}
	return out
}
