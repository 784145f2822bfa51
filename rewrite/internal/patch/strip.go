package patch

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// Strip leaves the plans out in place, and their buffer too if that is asked for.
// It returns no data where it cannot.
func Strip(m *tflite.Model, buffer bool) (data []byte, changes []string) {
	entries := PlanEntries(m)
	last := len(m.Buffers) - 1
	if buffer && (m.Metadata[entries[len(entries)-1]].Buffer != last || last == 0 || !exclusive(m, last) || Listed(m, last)) {
		return nil, nil
	}
	data = slices.Clone(m.Data)
	leaveOut(m, data, -1)
	changes = []string{fmt.Sprintf("metadata entries %s left out: %d", PlanName, len(entries))}
	if buffer {
		leaveLastOut(m, data)
		changes = append(changes, fmt.Sprintf("buffers[%d] is left out", last))
	}
	out, err := audited(m, data, 0, nil)
	// Bytes at the end that nothing refers to any more would look like a vendor's.
	if err != nil || buffer && out.FlatbufferEnd != m.FlatbufferEnd {
		return nil, nil
	}
	return data, changes
}

// leaveLastOut makes the vector of buffers shorter by one.
func leaveLastOut(m *tflite.Model, data Output) {
	pos, n := RootOf(m).Vector(FieldBuffers)
	data.U32(pos, int64(n-1))
	data.U32(pos+4*int64(n), 0)
}
