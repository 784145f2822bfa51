package rewrite

import (
	"encoding/binary"

	flatbuffers "github.com/google/flatbuffers/go"

	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// place is where the parts of a subgraph lie that hostile files bend.
type place struct {
	// reference is the element of the vector of subgraphs, field the reference to the
	// vector of operators, vector that vector, all of them byte offsets in the file.
	reference, field, vector int64
}

func placeOf(t *testing.T, data []byte, s int) place {
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
	return place{subgraphs + 4*int64(s), field, field + int64(binary.LittleEndian.Uint32(data[field:]))}
}

// twins returns a file of two subgraphs that are the same.
func twins() []byte {
	m := fork()
	m.Subgraphs = append(m.Subgraphs, m.Subgraphs[0])
	return encode.Encode(m)
}

// sharedVector has one vector of operators for both subgraphs.
func sharedVector(t *testing.T) []byte {
	data := twins()
	a, b := placeOf(t, data, 0), placeOf(t, data, 1)
	// References lead forward: the vector that comes last serves both.
	last := max(a.vector, b.vector)
	binary.LittleEndian.PutUint32(data[a.field:], uint32(last-a.field))
	binary.LittleEndian.PutUint32(data[b.field:], uint32(last-b.field))
	return data
}

// sharedSubgraph has one table for both subgraphs.
func sharedSubgraph(t *testing.T) []byte {
	data := twins()
	a, b := placeOf(t, data, 0), placeOf(t, data, 1)
	target := max(a.reference+int64(binary.LittleEndian.Uint32(data[a.reference:])), b.reference+int64(binary.LittleEndian.Uint32(data[b.reference:])))
	binary.LittleEndian.PutUint32(data[a.reference:], uint32(target-a.reference))
	binary.LittleEndian.PutUint32(data[b.reference:], uint32(target-b.reference))
	return data
}
