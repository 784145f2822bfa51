package rewrite

import (
	"bytes"
	"errors"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// original returns the file that prepend made m from, or nil.
// The plan is the last part of a prefix, so that its end tells where the old file
// would begin. It is the old file when embedding the plan gives m again.
func original(m *tflite.Model) *tflite.Model {
	entries := planEntries(m)
	b := m.Buffers[m.Metadata[entries[0]].Buffer]
	end := b.Offset + int64(len(b.Data))
	shift := roundUp(end, shiftAlignment)
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
	again, _, err := prepend(old, b.Data, true)
	if err != nil || !bytes.Equal(again, m.Data) {
		return nil
	}
	return old
}

var errNotMoved = errors.New("a position leads in front of the old file")

// moveBack returns the bytes behind a prefix with their positions as they were.
func moveBack(m *tflite.Model, shift int64) ([]byte, error) {
	sites, _ := findSites(m) // an archive with a problem did not move
	for i := range sites {
		s := &sites[i]
		position := uint64(le.Uint32(m.Data[s.at:]))
		if s.width == 8 {
			position = le.Uint64(m.Data[s.at:])
		}
		if s.at < shift || position < uint64(shift) {
			return nil, errNotMoved
		}
		s.at -= shift
	}
	data := slices.Clone(m.Data[shift:])
	return data, move(data, sites, -shift)
}
