package mutate

import (
	"encoding/binary"
	"errors"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A Table is a table of a model.
type Table struct {
	of *tableType
	// values are the field values by id, nil for omitted ones: []byte for a number, numbers and text,
	// *Table for a table or a union, []*Table for tables.
	values []any
}

// maxTables bounds the number of tables: files may share them, and a tree does not.
const maxTables = 1 << 15

var errTooLarge = errors.New("the model has too many tables to be a tree")

// Read returns a model as a tree. The error is from package tflite, or reports that the tree would be
// too large.
func Read(data []byte) (*Table, error) {
	if _, err := tflite.Parse(data, "model"); err != nil {
		return nil, err
	}
	r := &reader{remaining: maxTables}
	root := r.table(types()["Model"], schema.GetRootAsModel(data, 0).Table())
	if r.remaining < 0 {
		return nil, errTooLarge
	}
	return root, nil
}

// A reader reads verified tables; remaining is the number of those that it may still read.
type reader struct{ remaining int }

func (r *reader) table(of *tableType, at flatbuffers.Table) *Table {
	t := &Table{of: of, values: make([]any, len(of.fields))}
	if r.remaining--; r.remaining < 0 {
		return t
	}
	for id := range of.fields {
		if o := at.Offset(flatbuffers.VOffsetT(4 + 2*id)); o != 0 {
			t.values[id] = r.value(t, id, at, at.Pos+flatbuffers.UOffsetT(o))
		}
	}
	return t
}

// value reads a field of a table, nil if its type is of a newer schema.
func (r *reader) value(t *Table, id int, at flatbuffers.Table, pos flatbuffers.UOffsetT) any {
	f := &t.of.fields[id]
	switch f.kind {
	case scalar:
		return clone(at.Bytes[pos:][:f.size])
	case numbers:
		first, n := at.Vector(pos-at.Pos), at.VectorLen(pos-at.Pos)
		return clone(at.Bytes[first:][:n*f.size])
	case text:
		return clone(at.ByteVector(pos))
	case tables:
		list := []*Table{}
		first := at.Vector(pos - at.Pos)
		for i := range at.VectorLen(pos - at.Pos) {
			list = append(list, r.table(f.of, flatbuffers.Table{Bytes: at.Bytes, Pos: at.Indirect(first + flatbuffers.UOffsetT(4*i))}))
		}
		return list
	}
	of := f.of
	if f.kind == union {
		if of = f.member(t.number(id - 1)); of == nil {
			return nil
		}
		return r.union(of, at, pos)
	}
	return r.table(of, flatbuffers.Table{Bytes: at.Bytes, Pos: at.Indirect(pos)})
}

// union reads a union by its tag, nil if it is damaged: an operator's options may be, in a valid model.
func (r *reader) union(of *tableType, at flatbuffers.Table, pos flatbuffers.UOffsetT) (v any) {
	defer func() {
		if recover() != nil {
			v = nil
		}
	}()
	return r.table(of, flatbuffers.Table{Bytes: at.Bytes, Pos: at.Indirect(pos)})
}

// clone copies bytes; the copy is never nil.
func clone(data []byte) []byte { return append([]byte{}, data...) }

// member returns the table type of a tag, or nil.
func (f *field) member(tag int64) *tableType {
	if tag < 1 || tag > int64(len(f.members)) {
		return nil
	}
	return f.members[tag-1]
}

// number returns a number of the table, 0 if omitted.
func (t *Table) number(id int) int64 {
	data, _ := t.values[id].([]byte)
	return signed(data)
}

// signed reads a signed number of up to eight bytes.
func signed(data []byte) int64 {
	if len(data) == 0 {
		return 0
	}
	wide := make([]byte, 8)
	if data[len(data)-1]&0x80 != 0 {
		for i := range wide {
			wide[i] = 0xff
		}
	}
	copy(wide, data)
	return int64(binary.LittleEndian.Uint64(wide))
}

// bytes returns the lowest bytes of a number.
func bytes(n int64, size int) []byte {
	return binary.LittleEndian.AppendUint64(nil, uint64(n))[:size]
}

// Encode returns the model as a file.
func (t *Table) Encode() []byte {
	b := flatbuffers.NewBuilder(1 << 12)
	b.FinishWithFileIdentifier(t.write(b), []byte(schema.Identifier))
	return b.FinishedBytes()
}

// write writes a table after its contents.
func (t *Table) write(b *flatbuffers.Builder) flatbuffers.UOffsetT {
	held := make([]flatbuffers.UOffsetT, len(t.values))
	for id, v := range t.values {
		held[id] = t.of.fields[id].write(b, v)
	}
	b.StartObject(len(t.values))
	for id, v := range t.values {
		switch {
		case v == nil:
			continue
		case held[id] != 0:
			b.PrependUOffsetT(held[id])
		default:
			prepend(b, v.([]byte))
		}
		b.Slot(id)
	}
	return b.EndObject()
}

// write writes the contents of a field, and returns 0 for a number or no contents.
func (f *field) write(b *flatbuffers.Builder, v any) flatbuffers.UOffsetT {
	switch v := v.(type) {
	case *Table:
		return v.write(b)
	case []*Table:
		held := make([]flatbuffers.UOffsetT, len(v))
		for i, t := range v {
			held[i] = t.write(b)
		}
		b.StartVector(4, len(held), 4)
		for i := len(held) - 1; i >= 0; i-- {
			b.PrependUOffsetT(held[i])
		}
		return b.EndVector(len(held))
	case []byte:
		switch f.kind {
		case text:
			return b.CreateByteString(v)
		case numbers:
			return f.vector(b, v)
		}
	}
	return 0
}

func (f *field) vector(b *flatbuffers.Builder, data []byte) flatbuffers.UOffsetT {
	b.Prep(max(f.align, 4), len(data))
	b.StartVector(f.size, len(data)/f.size, f.size)
	for end := len(data) / f.size * f.size; end > 0; end -= f.size {
		prepend(b, data[end-f.size:end])
	}
	return b.EndVector(len(data) / f.size)
}

// prepend adds one number.
func prepend(b *flatbuffers.Builder, data []byte) {
	switch len(data) {
	case 1:
		b.PrependByte(data[0])
	case 2:
		b.PrependUint16(binary.LittleEndian.Uint16(data))
	case 4:
		b.PrependUint32(binary.LittleEndian.Uint32(data))
	case 8:
		b.PrependUint64(binary.LittleEndian.Uint64(data))
	}
}
