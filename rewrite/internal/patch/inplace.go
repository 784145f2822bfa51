package patch

import (
	"bytes"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// Overwrite replaces the effective plan and the last marker in place and removes all other
// plans and markers. It returns no data if there is not enough room or the bytes serve another
// purpose. Bytes after the plan in its buffer stay; a marker shorter than the old one is padded
// with spaces.
func Overwrite(m *tflite.Model, c Carried) (data []byte, changes []string) {
	var keep []int
	for _, p := range c.parts() {
		entries := entriesOf(m, p.name)
		if p.data != nil {
			if len(entries) == 0 || !roomFor(m, entries[len(entries)-1], p) {
				return nil, nil
			}
			keep = append(keep, entries[len(entries)-1])
		}
	}
	data = slices.Clone(m.Data)
	gone := 0
	for _, p := range c.parts() {
		entries, stay := entriesOf(m, p.name), 0
		if p.data != nil {
			stay = 1
			index := m.Metadata[entries[len(entries)-1]].Buffer
			overwrite(data, m.Buffers[index], p)
			changes = append(changes, fmt.Sprintf("the %s in buffers[%d] is overwritten", p.word, index))
		}
		if len(entries) > stay {
			gone += len(entries) - stay
			changes = append(changes, fmt.Sprintf("metadata entries %s left out: %d of %d", p.name, len(entries)-stay, len(entries)))
		}
	}
	if gone > 0 {
		dropMetadata(m, data, keep...)
	}
	// Hostile files share bytes in ways that exclusive does not detect.
	if audit(m, data, 0, c) != nil {
		return nil, nil
	}
	return data, changes
}

// roomFor reports whether a metadata entry's buffer can hold the part.
func roomFor(m *tflite.Model, entry int, p part) bool {
	index := m.Metadata[entry].Buffer
	b := m.Buffers[index]
	long := p.name == MarkerName && len(b.Data) > MaxMarker
	return !b.Outside && !long && len(b.Data) >= len(p.data) && exclusive(m, index, p.name)
}

// overwrite writes a part into a buffer.
func overwrite(data []byte, b tflite.Buffer, p part) {
	n := int64(copy(data[b.Offset:], p.data))
	if p.name == MarkerName {
		copy(data[b.Offset+n:], bytes.Repeat([]byte(" "), len(b.Data)-len(p.data)))
	}
}

// exclusive reports whether only metadata of the given names uses a buffer and its data.
func exclusive(m *tflite.Model, index int, names ...string) bool {
	if used(m, index, names) {
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

// used reports whether anything but metadata of the given names refers to a buffer.
func used(m *tflite.Model, index int, names []string) bool {
	for s := range m.Subgraphs {
		for i := range m.Subgraphs[s].Tensors {
			if m.Subgraphs[s].Tensors[i].Buffer == index {
				return true
			}
		}
	}
	for _, md := range m.Metadata {
		if md.Buffer == index && !slices.Contains(names, md.Name) {
			return true
		}
	}
	return false
}

// Listed reports whether the deprecated metadata list, which has no names, refers to a buffer.
// A plan in such a buffer can be overwritten, but the buffer cannot be removed.
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

// dropMetadata removes plans and markers, except the entries to keep, and compacts the metadata
// vector. References are distances, so an element that moves forward grows by the same number
// of bytes.
func dropMetadata(m *tflite.Model, data Output, keep ...int) {
	r := RootOf(m)
	pos, n := r.Vector(FieldMetadata)
	var stay []int64
	for i, target := range r.Targets(FieldMetadata) {
		if slices.Contains(keep, i) || !Ours(m.Metadata[i].Name) {
			stay = append(stay, target)
		}
	}
	clear(data[pos+4 : pos+4+4*int64(n)])
	data.Vector(pos, stay)
}
