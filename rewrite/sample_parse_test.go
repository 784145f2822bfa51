package rewrite

import (
	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/tflite"
)

// fataler is what *testing.T and *rapid.T share.
type fataler interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

func parse(t fataler, data []byte) *tflite.Model {
	t.Helper()
	m, err := tflite.Parse(data, "test")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func build(t fataler, m encode.Model) *tflite.Model {
	t.Helper()
	return parse(t, encode.Encode(m))
}
