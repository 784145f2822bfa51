// Package modelfile reads models that tests require to be valid.
package modelfile

import (
	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/tflite"
)

// TB is the common interface of *testing.T and *rapid.T.
type TB interface {
	Helper()
	Fatal(args ...any)
}

// Parse returns the model in data.
func Parse(t TB, data []byte) *tflite.Model {
	t.Helper()
	m, err := tflite.Parse(data, "test")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Build encodes and parses a model.
func Build(t TB, m encode.Model) *tflite.Model {
	t.Helper()
	return Parse(t, encode.Encode(m))
}
