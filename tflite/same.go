package tflite

import (
	"bytes"

	flatbuffers "github.com/google/flatbuffers/go"
)

// SameTensor reports whether two tensors, of any two models, have equal tables, including
// everything that these refer to: name, type, shape, quantisation, sparsity. Buffer indexes may
// differ, and buffer contents are not compared.
func SameTensor(a, b *Tensor) bool {
	c := newComparison(tensorBuffer)
	return c.tables(a.table.Table(), b.table.Table(), tableTensor)
}

// SameOperator reports whether two operators, of any two models, have equal tables, including
// everything that these refer to, above all the options. Indexes of codes, tensors and debug
// metadata may differ. Damaged options are never equal.
func SameOperator(a, b *Operator) bool {
	return newComparison(operatorIndexes...).operators(a, b)
}

// operatorIndexes are the fields of an operator that refer to other parts of the model by index.
var operatorIndexes = []fieldRef{operatorCode, operatorInputs, operatorOutputs, operatorIntermediates, operatorDebug}

// A Comparison compares the tensors and operators of two models. It reads shared parts once, so
// it is of no use after the first difference.
type Comparison struct {
	// except lists the fields that are not compared.
	except map[fieldRef]bool
	// blank makes an absent table equal to one whose fields are all absent or not compared.
	blank bool
	done  map[[2]source]bool
}

func newComparison(except ...fieldRef) *Comparison {
	c := &Comparison{except: map[fieldRef]bool{}, done: map[[2]source]bool{}}
	for _, f := range except {
		c.except[f] = true
	}
	return c
}

// NewComparison returns a comparison of what runtimes read: the names of tensors and the
// recorded ranges (min and max) of quantisations may differ, and indexes as in [SameTensor] and
// [SameOperator]. A quantisation without content equals an absent one.
func NewComparison() *Comparison {
	c := newComparison(append([]fieldRef{tensorBuffer, tensorName, quantizationMin, quantizationMax}, operatorIndexes...)...)
	c.blank = true
	return c
}

// Tensors compares two tensors.
func (c *Comparison) Tensors(a, b *Tensor) bool {
	return c.tables(a.table.Table(), b.table.Table(), tableTensor)
}

// Operators compares two operators.
func (c *Comparison) Operators(a, b *Operator) bool { return c.operators(a, b) }

func (c *Comparison) operators(a, b *Operator) bool {
	return !a.Damaged && !b.Damaged && c.tables(a.table.Table(), b.table.Table(), tableOperator)
}

// first reports whether a pair of parts has not been compared before.
func (c *Comparison) first(pair [2]source) bool {
	if c.done[pair] {
		return false
	}
	c.done[pair] = true
	return true
}

// tables compares two tables of one type.
func (c *Comparison) tables(s, t flatbuffers.Table, id tableID) bool {
	if !c.first([2]source{{s.Pos, kindTable, uint8(id)}, {t.Pos, kindTable, uint8(id)}}) {
		return true
	}
	for i := range layouts[id].fields {
		if f := (fieldRef{id, i}); !c.except[f] && !c.fields(s, t, f) {
			return false
		}
	}
	return true
}

// fields compares a field of two tables. An omitted number differs from a written one, even if
// both mean the same.
func (c *Comparison) fields(s, t flatbuffers.Table, f fieldRef) bool {
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
		return there == too || c.blank && field.kind == kindTable && (there && c.isBlank(referred(s, at), field.ref) || too && c.isBlank(referred(t, to), field.ref))
	}
	switch field.kind {
	case kindScalar:
		return bytes.Equal(s.Bytes[at:][:field.size], t.Bytes[to:][:field.size])
	case kindTable:
		return c.tables(referred(s, at), referred(t, to), field.ref)
	}
	return c.vectors(s, t, f)
}

// vectors compares a field of two tables that is a vector or a string.
func (c *Comparison) vectors(s, t flatbuffers.Table, f fieldRef) bool {
	field := &layouts[f.table].fields[f.id]
	at, n, _ := f.vector(s)
	to, m, _ := f.vector(t)
	ref := field.size
	if field.kind == kindTables {
		ref = uint8(field.ref)
	}
	if n != m || !c.first([2]source{{flatbuffers.UOffsetT(at), field.kind, ref}, {flatbuffers.UOffsetT(to), field.kind, ref}}) {
		return n == m
	}
	if field.kind != kindTables {
		size := int64(max(field.size, 1))
		return bytes.Equal(s.Bytes[at:][:int64(n)*size], t.Bytes[to:][:int64(n)*size])
	}
	for i := range int64(n) {
		if !c.tables(referred(s, at+4*i), referred(t, to+4*i), field.ref) {
			return false
		}
	}
	return true
}

// isBlank reports whether a table has no field that is compared.
func (c *Comparison) isBlank(t flatbuffers.Table, id tableID) bool {
	for i := range layouts[id].fields {
		f := fieldRef{id, i}
		if _, present := f.at(t); present && !c.except[f] {
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
