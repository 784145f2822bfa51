package patch

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// Overwrite puts a plan where the plan in effect is, when there is room and the
// bytes serve nothing else, and leaves out all other plans. It returns no data where it
// cannot. What follows the old plan in its buffer stays.
func Overwrite(m *tflite.Model, plan []byte) (data []byte, changes []string) {
	entries := PlanEntries(m)
	if len(entries) == 0 {
		return nil, nil
	}
	last := entries[len(entries)-1]
	index := m.Metadata[last].Buffer
	b := m.Buffers[index]
	if b.Outside || len(b.Data) < len(plan) || !exclusive(m, index) {
		return nil, nil
	}
	data = slices.Clone(m.Data)
	copy(data[b.Offset:], plan)
	changes = []string{fmt.Sprintf("the plan in buffers[%d] is overwritten", index)}
	if len(entries) > 1 {
		leaveOut(m, data, last)
		changes = append(changes, fmt.Sprintf("metadata entries %s left out: %d of %d", PlanName, len(entries)-1, len(entries)))
	}
	// Hostile files share bytes in ways that exclusive does not look for.
	if audit(m, data, 0, plan) != nil {
		return nil, nil
	}
	return data, changes
}

// exclusive reports whether a buffer and its data serve plans alone.
func exclusive(m *tflite.Model, index int) bool {
	if used(m, index) {
		return false
	}
	data := m.Buffers[index]
	start, end := data.Offset, data.Offset+int64(len(data.Data))
	for i, b := range m.Buffers {
		if i != index && b.Data != nil && b.Offset < end && start < b.Offset+int64(len(b.Data)) {
			return false
		}
	}
	return true
}

// used reports whether anything but a plan's entry refers to a buffer.
func used(m *tflite.Model, index int) bool {
	for s := range m.Subgraphs {
		for i := range m.Subgraphs[s].Tensors {
			if m.Subgraphs[s].Tensors[i].Buffer == index {
				return true
			}
		}
	}
	for _, md := range m.Metadata {
		if md.Name != PlanName && md.Buffer == index {
			return true
		}
	}
	return false
}

// Listed reports whether the old list of metadata, which has no names, has a buffer.
// That does not keep a plan from being overwritten, but its buffer from going.
func Listed(m *tflite.Model, index int) bool {
	r := RootOf(m)
	pos, n := r.Vector(FieldMetadataBuffer)
	for i := range n {
		if int(int32(le.Uint32(r.Data[pos+4+4*int64(i):]))) == index {
			return true
		}
	}
	return false
}

// leaveOut closes the vector of metadata up over the entries that hold plans,
// except one; -1 keeps none. References inside it are distances, so that those
// that move forward grow by as much.
func leaveOut(m *tflite.Model, data Output, keep int) {
	r := RootOf(m)
	pos, n := r.Vector(FieldMetadata)
	var stay []int64
	for i, target := range r.Targets(FieldMetadata) {
		if i == keep || m.Metadata[i].Name != PlanName {
			stay = append(stay, target)
		}
	}
	clear(data[pos+4 : pos+4+4*int64(n)])
	data.Vector(pos, stay)
}
