package tflite

import (
	"encoding/binary"

	flatbuffers "github.com/google/flatbuffers/go"
)

// vectorKey returns a string that is equal for vectors with equal contents.
func vectorKey(s source, data []byte) string {
	return string(append([]byte{byte(s.kind), s.ref}, data...))
}

// tableKey returns a string that is equal for tables with equal contents: their numbers, and the
// positions of their parts, which are merged already.
func (c *Copier) tableKey(t flatbuffers.Table, id tableID, parts []flatbuffers.UOffsetT) string {
	key := []byte{byte(kindTable), byte(id)}
	for i, part := range parts {
		f := fieldRef{id, i}
		at, present := f.at(t)
		switch field := &layouts[id].fields[i]; {
		case part != 0:
			key = binary.LittleEndian.AppendUint32(append(key, 1), uint32(part))
		case present && field.kind == kindScalar:
			key = append(append(key, 1), t.Bytes[at:][:field.size]...)
		default:
			key = append(key, 0)
		}
	}
	return string(key)
}
