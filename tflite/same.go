package tflite

import (
	"bytes"

	flatbuffers "github.com/google/flatbuffers/go"
	"golang.org/x/exp/slices"
)

// SameTensor reports whether two tensors, of any two models, have equal tables, including
// everything that these refer to: name, type, shape, quantisation, sparsity. Buffer indexes may
// differ, and buffer contents are not compared.
func SameTensor(a, b *Tensor) bool {
	return newComparison("buffer").tables(a.table.Table(), b.table.Table(), tableTensor)
}

// SameOperator reports whether two operators, of any two models, have equal tables, including
// everything that these refer to, above all the options. Indexes of codes, tensors and debug
// metadata may differ. Damaged options are never equal.
func SameOperator(a, b *Operator) bool {
	numbers := newComparison("opcode_index", "inputs", "outputs", "intermediates", "debug_metadata_index")
	return !a.Damaged && !b.Damaged && numbers.tables(a.table.Table(), b.table.Table(), tableOperator)
}

// A comparison walks two verified files in parallel. Shared parts are compared once, so the
// work is bounded by the size of the files.
type comparison struct {
	// except lists the fields of the outermost table that are not compared.
	except []string
	done   map[[2]source]bool
}

func newComparison(except ...string) *comparison {
	return &comparison{except: except, done: map[[2]source]bool{}}
}

// tables compares two tables of one type.
func (c *comparison) tables(s, t flatbuffers.Table, id tableID) bool {
	pair := [2]source{{s.Pos, kindTable, uint8(id)}, {t.Pos, kindTable, uint8(id)}}
	if c.done[pair] {
		return true
	}
	c.done[pair] = true
	outermost := len(c.done) == 1
	for i, field := range layouts[id].fields {
		if !(outermost && slices.Contains(c.except, field.name)) && !c.fields(s, t, fieldRef{id, i}) {
			return false
		}
	}
	return true
}

// fields compares a field of two tables. An omitted number differs from a written one, even if
// both mean the same.
func (c *comparison) fields(s, t flatbuffers.Table, f fieldRef) bool {
	field := &layouts[f.table].fields[f.id]
	at, there := f.at(s)
	to, too := f.at(t)
	if field.kind == kindUnion {
		member, typed := unionMember(s, f)
		other, typedToo := unionMember(t, f)
		// No reader looks at a table without a type.
		return typed == typedToo && member == other && (!typed || there == too && (!there || c.tables(referred(s, at), referred(t, to), member)))
	}
	if !there || !too {
		return there == too
	}
	switch field.kind {
	case kindScalar:
		return bytes.Equal(s.Bytes[at:][:field.size], t.Bytes[to:][:field.size])
	case kindTable:
		return c.tables(referred(s, at), referred(t, to), field.ref)
	}
	at, n, _ := f.vector(s)
	to, m, _ := f.vector(t)
	if n != m || field.kind != kindTables {
		size := int64(max(field.size, 1))
		return n == m && bytes.Equal(s.Bytes[at:][:int64(n)*size], t.Bytes[to:][:int64(n)*size])
	}
	for i := range int64(n) {
		if !c.tables(referred(s, at+4*i), referred(t, to+4*i), field.ref) {
			return false
		}
	}
	return true
}

// unionMember returns the table type of a union, or false if its tag is absent or newer than
// the schema.
func unionMember(t flatbuffers.Table, f fieldRef) (tableID, bool) {
	tag, present := fieldRef{f.table, f.id - 1}.at(t)
	if !present {
		return 0, false
	}
	return unions[layouts[f.table].fields[f.id].ref].member(t.Bytes[tag])
}

// referred returns the table that the offset at a position refers to.
func referred(t flatbuffers.Table, at int64) flatbuffers.Table {
	pos := flatbuffers.UOffsetT(at)
	return flatbuffers.Table{Bytes: t.Bytes, Pos: pos + t.GetUOffsetT(pos)}
}
