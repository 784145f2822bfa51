package tflite

import (
	"errors"
	"fmt"

	flatbuffers "github.com/google/flatbuffers/go"
)

// ErrCopy is wrapped by the errors of a [Copier].
var ErrCopy = errors.New("it cannot be copied into another file")

// A Copier copies tensors and operators of one model into the file of one builder. Tables and
// vectors shared in the model stay shared in the copy.
type Copier struct {
	// OmitNames omits the names of tensors. It may change between copies.
	OmitNames bool
	// OmitRanges omits the recorded ranges (min and max) of quantisations, and quantisations
	// without any other content. It must not change after the first copy.
	OmitRanges bool
	// Merge lets the options of operators, and the quantisations and sparsities of tensors,
	// share tables and vectors with equal contents. Vectors that runtimes hand to kernels, such
	// as shapes, stay separate: kernels of older runtimes write to them.
	Merge bool
	// Dense omits the indexes that are the default, and orders the fields of tables by size, so
	// that they need no padding.
	Dense bool

	b *flatbuffers.Builder
	// copied maps parts already copied to their positions in the new file, and merged does so
	// for their contents.
	copied map[source]flatbuffers.UOffsetT
	merged map[string]flatbuffers.UOffsetT
	// read counts the bytes of all vectors and strings copied.
	read int64
	// numbers and vectors replace the values of fields, whether the table has them or not.
	numbers map[fieldRef]uint32
	vectors map[fieldRef][]int32
}

// A source is a part of the model: its position and its type.
type source struct {
	pos  flatbuffers.UOffsetT
	kind fieldKind
	// ref is the type of a table, or the element size of a vector in bytes.
	ref uint8
}

// NewCopier returns a copier into the file that b writes.
func NewCopier(b *flatbuffers.Builder) *Copier {
	return &Copier{b: b, copied: map[source]flatbuffers.UOffsetT{}, merged: map[string]flatbuffers.UOffsetT{}}
}

// Tensor writes a copy of a tensor's table and returns its position. Only the data differs:
// buffer is the index of its buffer in the new file. An error that wraps [ErrCopy] reports a
// tensor with data in an external file, a table with parts newer than the schema, and vectors
// that overlap.
func (c *Copier) Tensor(t *Tensor, buffer uint32) (flatbuffers.UOffsetT, error) {
	if t.ExternalBuffer != 0 {
		return 0, fmt.Errorf("tensor %d: %w: its data lies in an external file", t.Index, ErrCopy)
	}
	c.numbers, c.vectors = map[fieldRef]uint32{fieldOf(tableTensor, "buffer"): buffer}, nil
	at, err := c.table(t.table.Table(), tableTensor)
	if err != nil {
		return 0, fmt.Errorf("tensor %d: %w", t.Index, err)
	}
	return at, nil
}

// Operator writes a copy of an operator's table and returns its position. Only the indexes
// differ: code, inputs, outputs and intermediates refer to the new file. An error that wraps
// [ErrCopy] reports options that are damaged, stored after the flatbuffer, or newer than the
// schema.
func (c *Copier) Operator(o *Operator, code uint32, inputs, outputs, intermediates []int32) (flatbuffers.UOffsetT, error) {
	switch {
	case o.Damaged:
		return 0, fmt.Errorf("operator %d: %w: its options are damaged", o.Index, ErrCopy)
	case o.table.LargeCustomOptionsOffset() > 1:
		return 0, fmt.Errorf("operator %d: %w: its options lie behind the model", o.Index, ErrCopy)
	}
	of := func(name string) fieldRef { return fieldOf(tableOperator, name) }
	c.numbers = map[fieldRef]uint32{of("opcode_index"): code, operatorDebug: noDebugMetadata}
	c.vectors = map[fieldRef][]int32{of("inputs"): present(inputs), of("outputs"): present(outputs), of("intermediates"): intermediates}
	at, err := c.table(o.table.Table(), tableOperator)
	if err != nil {
		return 0, fmt.Errorf("operator %d: %w", o.Index, err)
	}
	return at, nil
}

// Renumbered returns the indexes that a list of tensors has in another file: nil for nil, -1 for -1, and otherwise what index
// returns.
func Renumbered(old []int, index func(tensor int) int32) []int32 {
	if old == nil {
		return nil
	}
	list := make([]int32, len(old))
	for i, t := range old {
		list[i] = -1
		if t >= 0 {
			list[i] = index(t)
		}
	}
	return list
}

// operatorDebug names an entry of the debug metadata, which is not copied.
var operatorDebug = fieldOf(tableOperator, "debug_metadata_index")

// noDebugMetadata is the default of operatorDebug, -1.
const noDebugMetadata = ^uint32(0)

// present returns an empty list for nil.
func present(list []int32) []int32 {
	if list == nil {
		return []int32{}
	}
	return list
}

// table copies a table and returns the position of the copy.
func (c *Copier) table(t flatbuffers.Table, id tableID) (flatbuffers.UOffsetT, error) {
	fields := layouts[id].fields
	if c.hasNewerFields(t, len(fields)) {
		return 0, fmt.Errorf("%w: its table %s has a field newer than the schema", ErrCopy, layouts[id].name)
	}
	parts := make([]flatbuffers.UOffsetT, len(fields))
	for i := range fields {
		var err error
		if parts[i], err = c.part(t, fieldRef{id, i}); err != nil {
			return 0, err
		}
	}
	key := ""
	if c.Merge && id != tableTensor && id != tableOperator {
		key = c.tableKey(t, id, parts)
		if done, ok := c.merged[key]; ok {
			return done, nil
		}
	}
	at := c.object(t, id, parts)
	if key != "" {
		c.merged[key] = at
	}
	return at, nil
}

// object writes a table whose contents have been copied.
func (c *Copier) object(t flatbuffers.Table, id tableID, parts []flatbuffers.UOffsetT) flatbuffers.UOffsetT {
	c.b.StartObject(len(parts))
	for i := range parts {
		if !c.Dense {
			c.slot(t, fieldRef{id, i}, parts[i])
		}
	}
	for size := uint8(8); c.Dense && size > 0; size /= 2 {
		for i := range parts {
			if layouts[id].fields[i].width() == size {
				c.slot(t, fieldRef{id, i}, parts[i])
			}
		}
	}
	if wide(t, id) {
		// The builder shares the vtable of a table with another whose fields begin at the same offsets, but may be
		// shorter. Numbers of 8 bytes get an offset that shorter ones never have.
		const number = 4
		c.b.Pad(number)
	}
	return c.b.EndObject()
}

// wide reports whether a table has a number of 8 bytes.
func wide(t flatbuffers.Table, id tableID) bool {
	for i := range layouts[id].fields {
		const bytes = 8
		if field := &layouts[id].fields[i]; field.kind == kindScalar && field.size == bytes {
			if _, present := (fieldRef{id, i}).at(t); present {
				return true
			}
		}
	}
	return false
}

// hasNewerFields reports whether a table has fields newer than the first known ones.
func (c *Copier) hasNewerFields(t flatbuffers.Table, known int) bool {
	vtable := t.Pos - flatbuffers.UOffsetT(t.GetSOffsetT(t.Pos))
	length := int(t.GetVOffsetT(vtable))
	for id := known; 4+2*id < length; id++ {
		if t.Offset(flatbuffers.VOffsetT(4+2*id)) != 0 {
			return true
		}
	}
	return false
}

// slot writes one field of the table under construction. part is the position of its contents,
// zero for a number.
func (c *Copier) slot(t flatbuffers.Table, f fieldRef, part flatbuffers.UOffsetT) {
	field := &layouts[f.table].fields[f.id]
	number, replaced := c.numbers[f]
	at, present := f.at(t)
	switch {
	case replaced && c.Dense && (number == 0 || f == operatorDebug && number == noDebugMetadata):
	case replaced:
		c.b.PrependUint32(number)
		c.b.Slot(f.id)
	case part != 0:
		c.b.PrependUOffsetT(part)
		c.b.Slot(f.id)
	case present && field.kind == kindScalar:
		c.number(t.Bytes[at:][:field.size])
		c.b.Slot(f.id)
	}
}

// number writes the bytes of a number; file and builder have the same byte order.
func (c *Copier) number(data []byte) {
	c.b.Prep(len(data), 0)
	for i := len(data) - 1; i >= 0; i-- {
		c.b.PlaceByte(data[i])
	}
}
