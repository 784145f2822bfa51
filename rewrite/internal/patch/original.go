package patch

import (
	"bytes"
	"errors"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// Original returns the file that [Prepend] made m from, or nil. The plan is the last part
// of what stands in front, so its end tells where the old file would begin. It is the old
// file when embedding the plan in it gives m again.
func Original(m *tflite.Model) *tflite.Model {
	entries := PlanEntries(m)
	b := m.Buffers[m.Metadata[entries[0]].Buffer]
	end := b.Offset + int64(len(b.Data))
	shift := RoundUp(end, shiftAlignment)
	if len(entries) > 1 || len(b.Data) == 0 || b.Outside || shift >= int64(len(m.Data)) {
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
	again, _, err := Prepend(old, b.Data, true)
	if err != nil || !bytes.Equal(again, m.Data) {
		return nil
	}
	return old
}

var errNotMoved = errors.New("a position leads in front of the old file")

// moveBack returns the bytes behind a prefix with their positions as they were.
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
