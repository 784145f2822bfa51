package slim

import (
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// tail is the bytes after the flatbuffer that move to the new file: from the first to the last
// range that is not padding.
type tail struct{ tflite.Range }

// tailOf returns the tail of a model, or false if there is only padding.
func tailOf(m *tflite.Model) (t tail, found bool) {
	for _, r := range m.Trailing {
		if r.Kind == "padding" {
			continue
		}
		if !found {
			t.Range = r
		}
		t.End, found = r.End, true
	}
	return t, found
}

func (t tail) size() int64 { return t.End - t.Start }

// start returns the position of the tail after a flatbuffer with the given end. Its alignment is
// the same as before.
func (t tail) start(end int64) int64 {
	return end + (t.Start-end)&(schema.DataAlignment-1)
}

// appendTo appends the tail to the flatbuffer, with the positions in zip archives adjusted.
func (t tail) appendTo(data []byte, m *tflite.Model) ([]byte, error) {
	start := t.start(int64(len(data)))
	out := make([]byte, start+t.size())
	copy(out, data)
	copy(out[start:], m.Data[t.Start:t.End])
	sites, _ := patch.FindSites(m) // check has handled the error
	var moved []patch.Site
	for _, s := range sites {
		if s.At >= t.Start {
			moved = append(moved, patch.Site{At: s.At - t.Start + start, Width: s.Width})
		}
	}
	return out, patch.Move(out, moved, start-t.Start)
}
