package sample

import (
	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// TB is the common interface of *testing.T and *rapid.T.
type TB interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// Parse returns the model in data, which must be valid.
func Parse(t TB, data []byte) *tflite.Model {
	t.Helper()
	m, err := tflite.Parse(data, "test")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Micro returns TensorFlow Lite Micro's view of a model.
func Micro(t TB, m *tflite.Model) *rules.View {
	t.Helper()
	v, err := rules.Micro().View(m, -1)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Build encodes and parses a model.
func Build(t TB, m encode.Model) *tflite.Model {
	t.Helper()
	return Parse(t, encode.Encode(m))
}
