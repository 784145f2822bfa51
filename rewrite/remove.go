package rewrite

import (
	"bytes"
	"errors"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// Remove returns the file of m without memory plans. m is what package tflite
// parsed, and is not changed.
//
// What [Embed] wrote in front is cut off where that gives back the file it was
// given, which is found out by embedding the plan again. Otherwise the entries are
// left out of their vector in place, and a buffer that nothing else uses stays, for
// the sake of all other indexes, unless it is the last.
func Remove(m *tflite.Model, o Options) (*Result, error) {
	if len(planEntries(m)) == 0 {
		return &Result{Data: m.Data, Method: Unchanged}, nil
	}
	old := original(m)
	if old == nil {
		return removeFrom(m, o)
	}
	cut := fmt.Sprintf("%d B that carried the plan are cut off the front", len(m.Data)-len(old.Data))
	r := &Result{Data: old.Data}
	// The old file may have had a plan of its own, without room for another.
	if len(planEntries(old)) > 0 {
		var err error
		if r, err = removeFrom(old, o); err != nil {
			return nil, err
		}
	}
	return result(m, r.Data, Restored, append([]string{cut}, r.Changes...)...), nil
}

// removeFrom leaves the plans out of a file in place, or else by a new front, which
// it takes when something else shares the vector of metadata.
func removeFrom(m *tflite.Model, o Options) (*Result, error) {
	for _, buffer := range []bool{true, false} {
		if r := strip(m, buffer); r != nil {
			return r, nil
		}
	}
	r, err := prepend(m, nil, o)
	if err != nil {
		return nil, fmt.Errorf("remove the plan: %w", err)
	}
	return r, nil
}

// original returns the file that Embed made m from by the prefix method, or nil.
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
	again, err := prepend(old, b.Data, Options{Force: true})
	if err != nil || !bytes.Equal(again.Data, m.Data) {
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

// strip leaves the plans out in place, and their buffer too if that is asked for.
// It returns nil where it cannot.
func strip(m *tflite.Model, buffer bool) *Result {
	entries := planEntries(m)
	last := len(m.Buffers) - 1
	if buffer && (m.Metadata[entries[len(entries)-1]].Buffer != last || last == 0 || !exclusive(m, last) || listed(m, last)) {
		return nil
	}
	data := slices.Clone(m.Data)
	leaveOut(m, data, -1)
	changes := []string{fmt.Sprintf("metadata entries %s left out: %d", PlanName, len(entries))}
	if buffer {
		leaveLastOut(m, data)
		changes = append(changes, fmt.Sprintf("buffers[%d] is left out", last))
	}
	out, err := audited(m, data, 0, nil)
	// Bytes at the end that nothing refers to any more would look like a vendor's.
	if err != nil || buffer && out.FlatbufferEnd != m.FlatbufferEnd {
		return nil
	}
	return result(m, data, InPlace, changes...)
}

// leaveLastOut makes the vector of buffers shorter by one.
func leaveLastOut(m *tflite.Model, data output) {
	pos, n := rootOf(m).vector(fieldBuffers)
	data.u32(pos, int64(n-1))
	data.u32(pos+4*int64(n), 0)
}
