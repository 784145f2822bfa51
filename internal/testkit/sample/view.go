package sample

import (
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

// Micro returns TensorFlow Lite Micro's view of a model.
func Micro(t TB, m *tflite.Model) *rules.View {
	t.Helper()
	v, err := rules.Micro().View(m, -1)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
