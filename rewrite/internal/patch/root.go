package patch

import (
	"encoding/binary"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Field ids of the root table that need more than copying.
const (
	fieldVersion        = 0
	fieldOperatorCodes  = 1
	FieldBuffers        = 4
	FieldMetadataBuffer = 5
	FieldMetadata       = 6
	// rootFields is the number of fields known to the schema. All except the version are
	// references.
	rootFields = 10
)

var le = binary.LittleEndian

// Root is the root table of a verified file. Positions are byte offsets in the file.
type Root struct {
	Data  []byte
	Table flatbuffers.Table
}

// RootOf returns the root table of a model.
func RootOf(m *tflite.Model) Root {
	return Root{m.Data, schema.GetRootAsModel(m.Data, 0).Table()}
}

// FieldAt returns the position of a field of a verified table, false if absent.
func FieldAt(t flatbuffers.Table, id int) (pos int64, present bool) {
	offset := t.Offset(flatbuffers.VOffsetT(4 + 2*id))
	return int64(t.Pos) + int64(offset), offset != 0
}

// Follow returns the target of the reference at pos.
func (r Root) Follow(pos int64) int64 { return pos + int64(le.Uint32(r.Data[pos:])) }

// Vector returns the position of a vector's length, which precedes the elements. It returns 0,
// which is never a vector's position, if the field is absent.
func (r Root) Vector(id int) (pos int64, n int) {
	field, present := FieldAt(r.Table, id)
	if !present {
		return 0, 0
	}
	pos = r.Follow(field)
	return pos, int(le.Uint32(r.Data[pos:]))
}

// Targets returns the positions of the tables that a vector refers to.
func (r Root) Targets(id int) []int64 {
	pos, n := r.Vector(id)
	targets := make([]int64, n)
	for i := range targets {
		targets[i] = r.Follow(pos + 4 + 4*int64(i))
	}
	return targets
}

// newer returns the id of a root table field newer than the schema, or false.
func (r Root) newer() (id int, found bool) { return NewerField(r.Table, rootFields) }

// NewerField returns the id of a field of a verified table beyond the known ones, or false.
func NewerField(t flatbuffers.Table, known int) (id int, found bool) {
	vtable := int64(t.Pos) - int64(int32(le.Uint32(t.Bytes[t.Pos:])))
	for id = known; 4+2*id+2 <= int(le.Uint16(t.Bytes[vtable:])); id++ {
		if _, present := FieldAt(t, id); present {
			return id, true
		}
	}
	return 0, false
}
