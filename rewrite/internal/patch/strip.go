package patch

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// Spare returns how many of the last buffers only the effective plan and the last marker use,
// so that [Strip] may remove them.
func Spare(m *tflite.Model) (n int) {
	own := map[int]bool{}
	for _, entries := range [][]int{PlanEntries(m), MarkerEntries(m)} {
		if len(entries) > 0 {
			own[m.Metadata[entries[len(entries)-1]].Buffer] = true
		}
	}
	for last := len(m.Buffers) - 1; last > 0 && own[last] && exclusive(m, last, PlanName, MarkerName) && !Listed(m, last); last-- {
		n++
	}
	return n
}

// Strip removes plans, markers and the given number of last buffers in place. It returns no
// data if it cannot.
func Strip(m *tflite.Model, buffers int) (data []byte, changes []string) {
	data = slices.Clone(m.Data)
	dropMetadata(m, data)
	for _, p := range (Carried{}).parts() {
		if n := len(entriesOf(m, p.name)); n > 0 {
			changes = append(changes, fmt.Sprintf("metadata entries %s left out: %d", p.name, n))
		}
	}
	for last := len(m.Buffers) - 1; last >= len(m.Buffers)-buffers; last-- {
		dropLastBuffer(m, data, last)
		changes = append(changes, fmt.Sprintf("buffers[%d] is left out", last))
	}
	out, err := audited(m, data, 0, Carried{})
	// Unreferenced bytes at the end would look like a vendor's.
	if err != nil || buffers > 0 && out.FlatbufferEnd != m.FlatbufferEnd {
		return nil, nil
	}
	return data, changes
}

// dropLastBuffer removes the buffer with index last, which must be the last, from the vector.
func dropLastBuffer(m *tflite.Model, data Output, last int) {
	pos, _ := RootOf(m).Vector(FieldBuffers)
	data.U32(pos, int64(last))
	data.U32(pos+4+4*int64(last), 0)
}
