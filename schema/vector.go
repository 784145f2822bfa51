package schema

import flatbuffers "github.com/google/flatbuffers/go"

// DataAlignment is the alignment of the data of a [Buffer] in a file, in bytes. The schema requires it, and no other part of a
// file a larger one.
const DataAlignment = 16

// CreateData writes the data of a [Buffer], aligned, which the generated code omits.
func CreateData(b *flatbuffers.Builder, data []byte) flatbuffers.UOffsetT {
	b.Prep(DataAlignment, len(data))
	return b.CreateByteVector(data)
}

// CreateTables writes a vector of tables that were written before.
func CreateTables(b *flatbuffers.Builder, tables []flatbuffers.UOffsetT) flatbuffers.UOffsetT {
	b.StartVector(4, len(tables), 4)
	for i := len(tables) - 1; i >= 0; i-- {
		b.PrependUOffsetT(tables[i])
	}
	return b.EndVector(len(tables))
}

// CreateInt32s writes a vector of numbers.
func CreateInt32s(b *flatbuffers.Builder, list []int32) flatbuffers.UOffsetT {
	b.StartVector(4, len(list), 4)
	for i := len(list) - 1; i >= 0; i-- {
		b.PrependInt32(list[i])
	}
	return b.EndVector(len(list))
}
