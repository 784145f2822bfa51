package patch

import (
	"encoding/binary"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// The ids of the fields of the root table that are not only carried over.
const (
	fieldVersion        = 0
	fieldOperatorCodes  = 1
	FieldBuffers        = 4
	FieldMetadataBuffer = 5
	FieldMetadata       = 6
	// rootFields is the number of fields that the schema knows. All but the version
	// are references.
	rootFields = 10
)

var le = binary.LittleEndian

// A Root is the root table of a verified file. Positions are byte offsets in the
// file.
type Root struct {
	Data  []byte
	Table flatbuffers.Table
}

// RootOf returns the root table of a model.
func RootOf(m *tflite.Model) Root {
	return Root{m.Data, schema.GetRootAsModel(m.Data, 0).Table()}
}

// FieldAt returns the position of a field of a verified table, false when absent.
func FieldAt(t flatbuffers.Table, id int) (pos int64, present bool) {
	offset := t.Offset(flatbuffers.VOffsetT(4 + 2*id))
	return int64(t.Pos) + int64(offset), offset != 0
}

// Follow returns where the reference at pos leads.
func (r Root) Follow(pos int64) int64 { return pos + int64(le.Uint32(r.Data[pos:])) }

// Vector returns the position of a vector's length; its elements follow. It
// returns zero, where no vector can be, when the field is absent.
func (r Root) Vector(id int) (pos int64, n int) {
	field, present := FieldAt(r.Table, id)
	if !present {
		return 0, 0
	}
	pos = r.Follow(field)
	return pos, int(le.Uint32(r.Data[pos:]))
}

// Targets returns where the elements of a vector of tables lead.
func (r Root) Targets(id int) []int64 {
	pos, n := r.Vector(id)
	targets := make([]int64, n)
	for i := range targets {
		targets[i] = r.Follow(pos + 4 + 4*int64(i))
	}
	return targets
}

// newer returns the id of a field of the root table that is newer than the schema, false
// when there is none.
func (r Root) newer() (id int, found bool) { return NewerField(r.Table, rootFields) }

// NewerField returns the id of a field of a verified table that the schema does not know,
// where known is the number of fields that it knows. found is false when there is none.
func NewerField(t flatbuffers.Table, known int) (id int, found bool) {
	vtable := int64(t.Pos) - int64(int32(le.Uint32(t.Bytes[t.Pos:])))
	for id = known; 4+2*id+2 <= int(le.Uint16(t.Bytes[vtable:])); id++ {
		if _, present := FieldAt(t, id); present {
			return id, true
		}
	}
	return 0, false
}
