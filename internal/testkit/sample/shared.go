package sample

import (
	"encoding/binary"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// Place locates the parts of a subgraph that hostile files modify.
type Place struct {
	// reference is the element of the vector of subgraphs, field the reference to the vector of
	// operators, Vector that vector; all are byte offsets in the file.
	reference, field, Vector int64
}

// PlaceOf returns the place of a subgraph of a file.
func PlaceOf(t *testing.T, data []byte, s int) Place {
	t.Helper()
	const subgraphsField, operatorsField = 8, 10 // in their vtables
	var sub schema.SubGraph
	model := schema.GetRootAsModel(data, 0)
	model.Subgraphs(&sub, s)
	root, table := model.Table(), sub.Table()
	offset := table.Offset(operatorsField)
	if offset == 0 {
		t.Fatal("no operators")
	}
	subgraphs := int64(root.Vector(flatbuffers.UOffsetT(root.Offset(subgraphsField))))
	field := int64(table.Pos) + int64(offset)
	return Place{subgraphs + 4*int64(s), field, field + int64(binary.LittleEndian.Uint32(data[field:]))}
}

// Twins returns a file of two equal subgraphs.
func Twins() []byte {
	m := Fork()
	m.Subgraphs = append(m.Subgraphs, m.Subgraphs[0])
	return encode.Encode(m)
}

// SharedVector returns a file with one vector of operators for both subgraphs.
func SharedVector(t *testing.T) []byte {
	data := Twins()
	a, b := PlaceOf(t, data, 0), PlaceOf(t, data, 1)
	// References point forward, so the later vector serves both.
	last := max(a.Vector, b.Vector)
	binary.LittleEndian.PutUint32(data[a.field:], uint32(last-a.field))
	binary.LittleEndian.PutUint32(data[b.field:], uint32(last-b.field))
	return data
}

// SharedSubgraph returns a file with one table for both subgraphs.
func SharedSubgraph(t *testing.T) []byte {
	data := Twins()
	a, b := PlaceOf(t, data, 0), PlaceOf(t, data, 1)
	target := max(a.reference+int64(binary.LittleEndian.Uint32(data[a.reference:])), b.reference+int64(binary.LittleEndian.Uint32(data[b.reference:])))
	binary.LittleEndian.PutUint32(data[a.reference:], uint32(target-a.reference))
	binary.LittleEndian.PutUint32(data[b.reference:], uint32(target-b.reference))
	return data
}
