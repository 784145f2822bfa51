package edit

import (
	"encoding/binary"
	"fmt"
	"sort"

	flatbuffers "github.com/google/flatbuffers/go"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
)

var le = binary.LittleEndian

// tableField is a field of a new table: a number, or a reference if to is set.
type tableField struct {
	id   int
	size int64
	bits uint64
	to   *part
	// moves marks a number that is a position in the old file.
	moves bool
}

func number(id int, size int64, value int64) tableField {
	return tableField{id: id, size: size, bits: uint64(value) & (1<<(8*size) - 1)}
}

func reference(id int, to *part) tableField { return tableField{id: id, size: 4, to: to} }

// write stores a number in a table.
func (c *tableField) write(out patch.Output, at int64) {
	switch c.size {
	case 1:
		out[at] = byte(c.bits)
	case 4:
		le.PutUint32(out[at:], uint32(c.bits))
	case 8:
		le.PutUint64(out[at:], c.bits)
	}
}

// table adds a table. Tables with the same fields share a vtable.
func (d *draft) table(layer int, fields []tableField) *part {
	fields = slices.Clone(fields)
	sort.Slice(fields, func(i, j int) bool { return fields[i].id < fields[j].id })
	size, align, last := int64(4), int64(4), -1
	places := make([]int64, len(fields))
	for _, width := range []int64{4, 8, 1} {
		for i, c := range fields {
			if c.size == width {
				places[i] = integer.RoundUp(size, width)
				size, align = places[i]+width, max(align, width)
				last = max(last, c.id)
			}
		}
	}
	offsets := make([]int, last+1)
	for i, c := range fields {
		offsets[c.id] = int(places[i])
	}
	vtable := d.vtable(offsets, int(size))
	return d.add(layer, &part{
		size: size, align: align,
		write: func(out patch.Output, at int64) {
			out.U32(at, at-d.place(vtable))
			for i, c := range fields {
				if c.moves {
					c.bits += uint64(d.Shift())
				}
				if c.to != nil {
					out.Refer(at+places[i], d.place(c.to))
				} else {
					c.write(out, at+places[i])
				}
			}
		},
	})
}

func (d *draft) vtable(offsets []int, size int) *part {
	return d.shared(layerVtables, fmt.Sprint("vtable ", size, offsets), &part{
		size: 4 + 2*int64(len(offsets)), align: 4,
		write: func(out patch.Output, at int64) {
			out.U16(at, 4+2*len(offsets), size)
			out.U16(at+4, offsets...)
		},
	})
}

// tableSpec describes the fields of a table known to the schema, by id: R for a reference, or
// the size of a number in bytes.
type tableSpec string

const (
	rootSpec         tableSpec = "4RRRRRRRRR"
	subgraphSpec     tableSpec = "RRRRR4"
	tensorSpec       tableSpec = "R14RR1RR1R4"
	operatorSpec     tableSpec = "4RR1RR1RR881R4"
	quantisationSpec tableSpec = "RRRR1R4"
)

// fields returns the fields of a verified table, with references into the old file. It refuses a
// table with fields newer than the schema.
func (spec tableSpec) fields(t flatbuffers.Table, what string) ([]tableField, error) {
	if id, found := patch.NewerField(t, len(spec)); found {
		return nil, &patch.RefusedError{Reason: fmt.Sprintf(
			"%s has field %d, which is newer than this program's schema: it may be a reference or a number, and cannot be carried over", what, id)}
	}
	var list []tableField
	for id, kind := range spec {
		at, present := patch.FieldAt(t, id)
		switch {
		case !present:
		case kind == 'R':
			list = append(list, reference(id, oldPart(patch.Root{Data: t.Bytes}.Follow(at))))
		default:
			list = append(list, tableField{id: id, size: int64(kind - '0'), bits: numberAt(t.Bytes, at, kind)})
		}
	}
	return list, nil
}

func numberAt(data []byte, at int64, kind rune) uint64 {
	switch kind {
	case '1':
		return uint64(data[at])
	case '4':
		return uint64(le.Uint32(data[at:]))
	}
	return le.Uint64(data[at:])
}

// set replaces the cell with c's id, or appends c.
func set(fields []tableField, c tableField) []tableField { return append(without(fields, c.id), c) }

// without omits the fields with the given ids.
func without(fields []tableField, ids ...int) []tableField {
	var list []tableField
	for _, c := range fields {
		if !slices.Contains(ids, c.id) {
			list = append(list, c)
		}
	}
	return list
}
