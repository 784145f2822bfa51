package modeldiff

import (
	"testing"

	"github.com/tflarena/tflarena/tflite"
)

// Blobs that share their bytes cost no more than the files are large.
func TestContentsAreBounded(t *testing.T) {
	m := &tflite.Model{Data: make([]byte, 1000)}
	c := newContents(m, m)
	for i := range 1000 {
		c.same(m.Data[i%500:i%500+500], make([]byte, 500))
	}
	if c.budget > 0 || len(c.results) > 16 {
		t.Errorf("%d bytes left after %d comparisons", c.budget, len(c.results))
	}
	if !c.same(nil, []byte{}) || c.same(nil, []byte{0}) {
		t.Error("empty blobs are equal, whatever is left")
	}
}
