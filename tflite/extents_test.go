package tflite

import (
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
)

// Extents are inside the flatbuffer and cover nearly all of a legitimate file; a file that
// Parse rejects has the same error.
func TestExtents(t *testing.T) {
	for _, file := range corpus.Models(t) {
		m, err := Open(file.Path)
		if err != nil {
			continue
		}
		seen := make([]bool, m.FlatbufferEnd)
		if err := Extents(m.Data, func(e Extent) {
			if e.From < 0 || e.From >= e.To || e.To > m.FlatbufferEnd || e.What == "" {
				t.Fatalf("%s: %+v", file.Name, e)
			}
			for i := e.From; i < e.To; i++ {
				seen[i] = true
			}
		}); err != nil {
			t.Errorf("%s: %v", file.Name, err)
		}
		missing := 0
		for _, s := range seen[8:] {
			if !s {
				missing++
			}
		}
		// The rest is alignment padding.
		if missing > len(seen)/10+16 && !strings.HasPrefix(file.Name, "bad/") {
			t.Errorf("%s: %d of %d B are nothing", file.Name, missing, len(seen))
		}
	}
	if Extents(make([]byte, 100), func(Extent) {}) == nil {
		t.Error("a file of zeros has extents")
	}
}
