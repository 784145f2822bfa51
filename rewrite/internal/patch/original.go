package patch

import (
	"bytes"
	"errors"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/tflite"
)

// Original returns the file from which [Prepend] made m, or nil. The plan is the last part of
// the prepended data, so its end determines the start of the old file. That candidate counts if
// embedding the plan and the marker in it reproduces m.
func Original(m *tflite.Model) *tflite.Model {
	plan, marker := onlyBuffer(m, PlanName), onlyBuffer(m, MarkerName)
	if plan == nil || marker == nil && len(MarkerEntries(m)) > 0 {
		return nil
	}
	c := Carried{Plan: plan.Data}
	if marker != nil {
		c.Marker = marker.Data
	}
	shift := integer.RoundUp(plan.Offset+int64(len(plan.Data)), shiftAlignment)
	if shift >= int64(len(m.Data)) {
		return nil
	}
	data, err := moveBack(m, shift)
	if err != nil {
		return nil
	}
	old, err := tflite.Parse(data, m.Name)
	if err != nil {
		return nil
	}
	again, _, err := Prepend(old, c, true)
	if err != nil || !bytes.Equal(again, m.Data) {
		return nil
	}
	return old
}

// onlyBuffer returns the buffer of the single metadata entry of a name. It returns nil if there
// is not exactly one, or if the buffer has no data inside the flatbuffer.
func onlyBuffer(m *tflite.Model, name string) *tflite.Buffer {
	entries := entriesOf(m, name)
	if len(entries) != 1 {
		return nil
	}
	b := &m.Buffers[m.Metadata[entries[0]].Buffer]
	if len(b.Data) == 0 || b.Outside {
		return nil
	}
	return b
}

var errNotMoved = errors.New("a position leads in front of the old file")

// moveBack returns the bytes after a prefix, with file positions restored.
func moveBack(m *tflite.Model, shift int64) ([]byte, error) {
	sites, _ := FindSites(m) // an archive with a problem did not move
	for i := range sites {
		s := &sites[i]
		position := uint64(le.Uint32(m.Data[s.At:]))
		if s.Width == 8 {
			position = le.Uint64(m.Data[s.At:])
		}
		if s.At < shift || position < uint64(shift) {
			return nil, errNotMoved
		}
		s.At -= shift
	}
	data := slices.Clone(m.Data[shift:])
	return data, Move(data, sites, -shift)
}
