package tflite

import (
	"encoding/binary"
	"unsafe"

	flatbuffers "github.com/google/flatbuffers/go"
)

// A fieldRef names a field of a table type. Unlike an accessor, it also gives the position of
// the field in the file, for messages.
type fieldRef struct {
	table tableID
	id    int
}

// fieldOf returns the field with the given schema name of a table type.
func fieldOf(table tableID, name string) fieldRef {
	for id, f := range layouts[table].fields {
		if f.name == name {
			return fieldRef{table, id}
		}
	}
	panic("tflite: the schema has no field " + layouts[table].name + "." + name)
}

func (f fieldRef) name() string { return layouts[f.table].fields[f.id].name }

// at returns the absolute position of the field in a verified table, or the position of the
// table if the field is absent.
func (f fieldRef) at(t flatbuffers.Table) (pos int64, present bool) {
	off := t.Offset(flatbuffers.VOffsetT(4 + 2*f.id))
	return int64(t.Pos) + int64(off), off != 0
}

// vector returns the position of the first element and the number of elements of a vector or
// string field.
func (f fieldRef) vector(t flatbuffers.Table) (pos int64, n int, present bool) {
	pos, present = f.at(t)
	if !present {
		return pos, 0, false
	}
	pos += int64(binary.LittleEndian.Uint32(t.Bytes[pos:]))
	return pos + 4, int(binary.LittleEndian.Uint32(t.Bytes[pos:])), true
}

// int32 returns a 32-bit field whose default is zero.
func (f fieldRef) int32(t flatbuffers.Table) int32 {
	pos, present := f.at(t)
	if !present {
		return 0
	}
	return int32At(t.Bytes, pos)
}

func int32At(data []byte, pos int64) int32 {
	return int32(binary.LittleEndian.Uint32(data[pos:]))
}

// text returns b as a string without copying: models have thousands of names.
func text(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b))
}
