package tflite

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/schema"
)

// An optionTable takes any option table.
type optionTable struct{ t flatbuffers.Table }

func (o *optionTable) Table() flatbuffers.Table { return o.t }

func (o *optionTable) Init(buf []byte, i flatbuffers.UOffsetT) { o.t.Bytes, o.t.Pos = buf, i }

// readOptions reads every field of an operator's options as the accessors do, as
// far as the verifier vouches for them.
func readOptions(o *Operator) {
	var t optionTable
	for _, tag := range []schema.BuiltinOptions{o.table.BuiltinOptionsType(), 0, 1, 255} {
		if o.Options(tag, &t) {
			newReader().table(unions[unionBuiltinOptions].members[tag-1], t.t)
		}
	}
	for _, tag := range []schema.BuiltinOptions2{o.table.BuiltinOptions2Type(), 0, 1, 255} {
		if o.Options2(tag, &t) {
			newReader().table(unions[unionBuiltinOptions2].members[tag-1], t.t)
		}
	}
}

// A reader reads what the verifier let through. It stops after so many tables: what
// hostile files share may add up to more than can be read.
type reader struct{ left int }

func newReader() *reader { return &reader{left: 100_000} }

// table reads every byte that the fields of a table and what they refer to
// have, with the primitives of the generated accessors.
func (r *reader) table(id tableID, t flatbuffers.Table) {
	if r.left--; r.left < 0 {
		return
	}
	for i, f := range layouts[id].fields {
		off := flatbuffers.UOffsetT(t.Offset(flatbuffers.VOffsetT(4 + 2*i)))
		if off == 0 {
			continue
		}
		switch f.kind {
		case kindScalar:
			_ = t.Bytes[off+t.Pos+flatbuffers.UOffsetT(f.size)-1]
		case kindString:
			_ = t.ByteVector(off + t.Pos)
		case kindVector:
			_ = t.Bytes[t.Vector(off):][:t.VectorLen(off)*int(f.size)]
		case kindTable:
			r.table(f.ref, flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(off + t.Pos)})
		case kindTables:
			for j := range t.VectorLen(off) {
				at := t.Vector(off) + flatbuffers.UOffsetT(4*j)
				r.table(f.ref, flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(at)})
			}
		case kindUnion:
			r.union(f.ref, i, off, t)
		}
	}
}

// union reads a union of a known type, except the options of operators, which
// readOptions does, since they may be damaged.
func (r *reader) union(union unionID, id int, off flatbuffers.UOffsetT, t flatbuffers.Table) {
	tag := t.GetByteSlot(flatbuffers.VOffsetT(4+2*(id-1)), 0)
	member, known := unions[union].member(tag)
	if known && union != unionBuiltinOptions && union != unionBuiltinOptions2 {
		var inner flatbuffers.Table
		t.Union(&inner, off)
		r.table(member, inner)
	}
}
