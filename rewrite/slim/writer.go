package slim

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// writer writes one file.
type writer struct {
	*contents
	m      *tflite.Model
	root   *schema.Model
	b      *flatbuffers.Builder
	copier *tflite.Copier
	// measures leaves out most of the data of buffers, cut bytes in all.
	measures bool
	cut      int64
}

// newWriter returns a writer of a file of the given size in bytes, 0 to measure it.
func newWriter(m *tflite.Model, c *contents, size int64) *writer {
	w := &writer{contents: c, m: m, root: schema.GetRootAsModel(m.Data, 0), b: flatbuffers.NewBuilder(int(size) + 64), measures: size == 0}
	w.copier = tflite.NewCopier(w.b)
	w.copier.OmitRanges, w.copier.Merge, w.copier.Dense = c.has(Ranges), c.has(DuplicateTables), true
	return w
}

// size returns the size of the file in bytes.
func (w *writer) size() (int64, error) {
	data, err := w.flatbuffer()
	if err != nil {
		return 0, err
	}
	end := int64(len(data)) + w.cut
	if tail, ok := tailOf(w.m); ok {
		return tail.start(end) + tail.size(), nil
	}
	return end, nil
}

// file returns the file.
func (w *writer) file() ([]byte, error) {
	data, err := w.flatbuffer()
	if err != nil {
		return nil, err
	}
	if tail, ok := tailOf(w.m); ok {
		return tail.appendTo(data, w.m)
	}
	return data, nil
}

// flatbuffer writes everything but the bytes after the flatbuffer.
func (w *writer) flatbuffer() ([]byte, error) {
	// Data written first ends up last in the file, after the tables.
	buffers := w.writeBuffers()
	var subgraphs []flatbuffers.UOffsetT
	for s := range w.m.Subgraphs {
		at, err := w.writeSubgraph(s)
		if err != nil {
			return nil, err
		}
		subgraphs = append(subgraphs, at)
	}
	w.writeModel(buffers, schema.CreateTables(w.b, subgraphs))
	return w.b.FinishedBytes(), nil
}

func (w *writer) writeBuffers() flatbuffers.UOffsetT {
	var tables []flatbuffers.UOffsetT
	for _, i := range w.buffers.kept {
		var data flatbuffers.UOffsetT
		if b := &w.m.Buffers[i]; b.Present {
			data = w.data(b.Data)
		}
		schema.BufferStart(w.b)
		if data != 0 {
			schema.BufferAddData(w.b, data)
		}
		tables = append(tables, schema.BufferEnd(w.b))
	}
	return ifIn(w.root.Table(), modelBuffers, schema.CreateTables(w.b, tables))
}

// data writes the bytes of a buffer.
func (w *writer) data(data []byte) flatbuffers.UOffsetT {
	if w.measures {
		short := len(data) % schema.DataAlignment
		w.cut += int64(len(data) - short)
		data = data[:short]
	}
	return schema.CreateData(w.b, data)
}

// text writes a string, and returns 0 for nil: runtimes read absent strings differently from empty
// ones.
func (w *writer) text(s []byte) flatbuffers.UOffsetT {
	if s == nil {
		return 0
	}
	return w.b.CreateByteString(s)
}
