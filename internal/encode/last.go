package encode

import (
	"encoding/binary"

	"github.com/tflarena/tflarena/schema"
)

const (
	// dataAlign is the schema's alignment of embedded data.
	dataAlign = 16
	// dataField is the index of Buffer.data in the vtable of a buffer.
	dataField = 4
)

// appendLast appends the data of buffers that comes last to a finished flatbuffer, each after its length,
// and makes the buffers refer to it.
func appendLast(flat []byte, buffers []Buffer) []byte {
	end := int64(len(flat))
	starts := make([]int64, len(buffers)) // of the data
	for i, b := range buffers {
		if b.Last > 0 {
			starts[i] = (end + 4 + dataAlign - 1) / dataAlign * dataAlign
			end = starts[i] + b.Last
		}
	}
	if end == int64(len(flat)) {
		return flat
	}
	all := make([]byte, end)
	m := schema.GetRootAsModel(flat, 0)
	// Not the statement after make: the compiler would join the two, and write the zeros itself, to
	// fresh memory that the system has not yet backed.
	copy(all, flat)
	for i, b := range buffers {
		if b.Last == 0 {
			continue
		}
		var table schema.Buffer
		m.Buffers(&table, i+1) // 0 is the sentinel
		t := table.Table()
		field := int64(t.Pos) + int64(t.Offset(dataField))
		binary.LittleEndian.PutUint32(all[field:], uint32(starts[i]-4-field))
		binary.LittleEndian.PutUint32(all[starts[i]-4:], uint32(b.Last))
		if b.Fill != nil {
			b.Fill(all[starts[i]:][:b.Last])
		}
	}
	return all
}
