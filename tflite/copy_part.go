package tflite

import (
	"fmt"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/schema"
)

// part copies the contents that a field refers to and returns the position of the copy: zero
// for a number or an absent field.
func (c *Copier) part(t flatbuffers.Table, f fieldRef) (flatbuffers.UOffsetT, error) {
	field := &layouts[f.table].fields[f.id]
	if list, replaced := c.vectors[f]; replaced {
		return c.int32s(list), nil
	}
	at, present := f.at(t)
	if !present || field.kind == kindScalar || c.omits(t, f) {
		return 0, nil
	}
	pos := flatbuffers.UOffsetT(at) + t.GetUOffsetT(flatbuffers.UOffsetT(at))
	kind, ref := field.kind, field.ref
	switch kind {
	case kindUnion:
		var err error
		if ref, err = c.member(t, f); err != nil || ref == untyped {
			return 0, err
		}
		kind = kindTable
	case kindVector:
		ref = tableID(field.size)
	}
	from := source{pos, kind, uint8(ref)}
	if done, ok := c.copied[from]; ok {
		return done, nil
	}
	done, err := c.contents(t, f, from)
	if err == nil {
		c.copied[from] = done
	}
	return done, err
}

// contents copies the contents of a field that have not been copied before.
func (c *Copier) contents(t flatbuffers.Table, f fieldRef, s source) (flatbuffers.UOffsetT, error) {
	switch s.kind {
	case kindTable:
		return c.table(flatbuffers.Table{Bytes: t.Bytes, Pos: s.pos}, tableID(s.ref))
	case kindTables:
		return c.tables(t, f, tableID(s.ref))
	}
	from, n, _ := f.vector(t)
	data := t.Bytes[from:][:n*max(int(layouts[f.table].fields[f.id].size), 1)]
	if c.read += int64(len(data)); c.read > int64(len(t.Bytes)) {
		return 0, fmt.Errorf("%w: its vectors overlap each other", ErrCopy)
	}
	key := ""
	if c.Merge && f.table != tableTensor && f.table != tableOperator {
		key = vectorKey(s, data)
		if done, ok := c.merged[key]; ok {
			return done, nil
		}
	}
	done := c.vectorOf(s, data)
	if key != "" {
		c.merged[key] = done
	}
	return done, nil
}

// vectorOf writes a vector or a string.
func (c *Copier) vectorOf(s source, data []byte) flatbuffers.UOffsetT {
	if s.kind == kindString {
		return c.b.CreateByteString(data)
	}
	return c.vector(data, int(s.ref))
}

// vector writes a vector of elements of size bytes. Byte vectors are aligned to 16, for nested
// data.
func (c *Copier) vector(data []byte, size int) flatbuffers.UOffsetT {
	if size == 1 {
		return schema.CreateData(c.b, data)
	}
	n := len(data) / size
	c.b.StartVector(size, n, size)
	for i := len(data) - 1; i >= 0; i-- {
		c.b.PlaceByte(data[i])
	}
	return c.b.EndVector(n)
}

// int32s writes a vector of indexes, or nothing if list is nil.
func (c *Copier) int32s(list []int32) flatbuffers.UOffsetT {
	if list == nil {
		return 0
	}
	return schema.CreateInt32s(c.b, list)
}

// tables copies a vector of tables.
func (c *Copier) tables(t flatbuffers.Table, f fieldRef, id tableID) (flatbuffers.UOffsetT, error) {
	from, n, _ := f.vector(t)
	list := make([]flatbuffers.UOffsetT, n)
	for i := range list {
		at := flatbuffers.UOffsetT(from) + flatbuffers.UOffsetT(4*i)
		var err error
		if list[i], err = c.table(flatbuffers.Table{Bytes: t.Bytes, Pos: at + t.GetUOffsetT(at)}, id); err != nil {
			return 0, err
		}
	}
	return schema.CreateTables(c.b, list), nil
}

// untyped is the type of a union member without a tag.
const untyped = ^tableID(0)

// member returns the table type of a union, given by the tag field before it. No reader looks
// at a table without a tag.
func (c *Copier) member(t flatbuffers.Table, f fieldRef) (tableID, error) {
	tag, present := fieldRef{f.table, f.id - 1}.at(t)
	if !present || t.Bytes[tag] == 0 {
		return untyped, nil
	}
	union := layouts[f.table].fields[f.id].ref
	member, known := unions[union].member(t.Bytes[tag])
	if !known {
		return untyped, fmt.Errorf("%w: its %s has type %d, which is newer than the schema", ErrCopy, unions[union].name, t.Bytes[tag])
	}
	return member, nil
}
