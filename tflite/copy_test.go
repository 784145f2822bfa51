package tflite

import (
	"bytes"
	"errors"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
)

// TestCopier copies all tensors and operators of the corpus, one file each, and compares every
// field with the original.
func TestCopier(t *testing.T) {
	copied := 0
	for _, f := range corpus.Accepted(t) {
		m, err := Open(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		for s := range m.Subgraphs {
			for i := range m.Subgraphs[s].Tensors {
				x := &m.Subgraphs[s].Tensors[i]
				copyOne(t, f.Name, x.table.Table(), tableTensor, func(c *Copier) (flatbuffers.UOffsetT, error) { return c.Tensor(x, uint32(x.Buffer)) })
				copied++
			}
			for i := range m.Subgraphs[s].Operators {
				o := &m.Subgraphs[s].Operators[i]
				copyOne(t, f.Name, o.table.Table(), tableOperator, func(c *Copier) (flatbuffers.UOffsetT, error) {
					return c.Operator(o, uint32(o.Code), indexes(o.Inputs), indexes(o.Outputs), indexes(o.Intermediates))
				})
				copied++
			}
		}
	}
	t.Logf("%d tables", copied)
}

func indexes(list []int) (out []int32) {
	if list == nil {
		return nil
	}
	out = []int32{}
	for _, i := range list {
		out = append(out, int32(i))
	}
	return out
}

// copyOne copies a table into its own file and compares the two.
func copyOne(t *testing.T, name string, was flatbuffers.Table, id tableID, write func(*Copier) (flatbuffers.UOffsetT, error)) {
	t.Helper()
	b := flatbuffers.NewBuilder(256)
	at, err := write(NewCopier(b))
	if errors.Is(err, ErrCopy) {
		t.Logf("left out: %s: %v", name, err)
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	b.Finish(at)
	data := b.FinishedBytes()
	now := flatbuffers.Table{Bytes: data, Pos: flatbuffers.GetUOffsetT(data)}
	if v := newVerifier(data); !v.table(int64(now.Pos), id) {
		t.Fatalf("%s: the copy of a table %s is broken: %v", name, layouts[id].name, v.err)
	}
	sameTables(t, name, was, now, id)
}

// written are the fields that a copy has or omits, whatever the original does.
var written = []string{"debug_metadata_index", "buffer", "opcode_index", "inputs", "outputs"}

// sameTables compares all fields of two tables, including everything that they refer to.
func sameTables(t *testing.T, name string, was, now flatbuffers.Table, id tableID) {
	t.Helper()
	for i, field := range layouts[id].fields {
		f := fieldRef{id, i}
		x, there := f.at(was)
		y, too := f.at(now)
		if field.name == "intermediates" {
			if _, n, _ := f.vector(was); n == 0 {
				continue // an empty list equals an absent one
			}
		}
		if slices.Contains(written, field.name) && !(there && too) || field.kind == kindUnion && untypedUnion(was, f) {
			continue
		}
		if there != too {
			t.Errorf("%s: %s.%s was there: %t, is there: %t", name, layouts[id].name, field.name, there, too)
			continue
		}
		if there {
			sameField(t, name, was, now, f, x, y)
		}
	}
}

func untypedUnion(t flatbuffers.Table, f fieldRef) bool {
	at, there := fieldRef{f.table, f.id - 1}.at(t)
	return !there || t.Bytes[at] == 0
}

func sameField(t *testing.T, name string, was, now flatbuffers.Table, f fieldRef, x, y int64) {
	t.Helper()
	field := layouts[f.table].fields[f.id]
	if field.kind == kindScalar {
		if n := int64(field.size); !bytes.Equal(was.Bytes[x:x+n], now.Bytes[y:y+n]) {
			t.Errorf("%s: %s.%s differs", name, layouts[f.table].name, field.name)
		}
		return
	}
	follow := func(t flatbuffers.Table, pos int64) flatbuffers.Table {
		return flatbuffers.Table{Bytes: t.Bytes, Pos: flatbuffers.UOffsetT(pos) + flatbuffers.GetUOffsetT(t.Bytes[pos:])}
	}
	switch field.kind {
	case kindTable:
		sameTables(t, name, follow(was, x), follow(now, y), field.ref)
	case kindUnion:
		at, _ := fieldRef{f.table, f.id - 1}.at(was)
		member, _ := unions[field.ref].member(was.Bytes[at])
		sameTables(t, name, follow(was, x), follow(now, y), member)
	default:
		a, n, _ := f.vector(was)
		b, m, _ := f.vector(now)
		if n != m {
			t.Errorf("%s: %s.%s has %d elements, had %d", name, layouts[f.table].name, field.name, m, n)
			return
		}
		if field.kind != kindTables {
			if bytes := int64(n) * int64(field.size); string(was.Bytes[a:a+bytes]) != string(now.Bytes[b:b+bytes]) {
				t.Errorf("%s: %s.%s differs", name, layouts[f.table].name, field.name)
			}
			return
		}
		for i := range int64(n) {
			sameTables(t, name, follow(was, a+4*i), follow(now, b+4*i), field.ref)
		}
	}
}
