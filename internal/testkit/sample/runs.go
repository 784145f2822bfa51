package sample

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/tflite"
)

// Invokes returns how often to run a model: times, so that state shows, but once less if runs
// are slow.
func Invokes(m *tflite.Model, times int) int {
	const long = 32 << 20
	var bytes int64
	for i := range m.Subgraphs[0].Tensors {
		if n, ok := m.Subgraphs[0].Tensors[i].PackedBytes(); ok {
			bytes += n
		}
	}
	if bytes > long {
		return times - 1
	}
	return times
}

// Written writes data to a new file and returns its path.
func Written(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.tflite")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// SameRun compares outputs, and whether there was an error. The error text may differ: which
// operator a runtime complains about first can depend on the order.
func SameRun(t *testing.T, what string, before, after oracle.Answer) {
	t.Helper()
	if (before.Error == "") != (after.Error == "") {
		t.Errorf("%s: %q, before it was %q", what, after.Error, before.Error)
	}
	if diff := cmp.Diff(before.Outputs, after.Outputs); diff != "" {
		t.Errorf("%s: outputs differ (-before +after):\n%s", what, diff)
	}
}
