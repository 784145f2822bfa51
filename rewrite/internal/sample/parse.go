package sample

import (
	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// TB is what *testing.T and *rapid.T share.
type TB interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// Parse returns the model in a file, which has to be valid.
func Parse(t TB, data []byte) *tflite.Model {
	t.Helper()
	m, err := tflite.Parse(data, "test")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Micro returns a model as TensorFlow Lite Micro sees it.
func Micro(t TB, m *tflite.Model) *rules.View {
	t.Helper()
	v, err := rules.Micro().View(m, -1)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Build encodes a model, and parses it.
func Build(t TB, m encode.Model) *tflite.Model {
	t.Helper()
	return Parse(t, encode.Encode(m))
}
