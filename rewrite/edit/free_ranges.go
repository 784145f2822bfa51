package edit

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// freeRange is the file range of a buffer's data that nothing uses after the edit: bytes [from, to),
// a four-byte length followed by the data. References point forward, so the table of a new
// buffer, written before the old file, can refer to data in a range; tiled weights reuse the
// space of the whole weights.
type freeRange struct {
	buffer   int
	from, to int64
}

// lengthBytes is the size of the length field before a vector's elements.
const lengthBytes = 4

// findFreeRanges returns the file's ranges, sorted by position. Nothing else can refer to their
// bytes.
func (w *editor) findFreeRanges() []freeRange {
	retired := w.unusedConstants()
	if len(w.buffers) == 0 || len(retired) == 0 || !plainBuffers(w.m) {
		return nil
	}
	needed := w.neededBuffers(retired)
	var ranges []freeRange
	for _, t := range retired {
		index := w.m.Subgraphs[w.e.Subgraph].Tensors[t].Buffer
		if needed[index] {
			continue
		}
		needed[index] = true // once
		if r, ok := freeRangeOf(w.m, index); ok {
			ranges = append(ranges, r)
		}
	}
	slices.SortStableFunc(ranges, byPosition)
	return untouched(w.m, disjoint(ranges))
}

// spans returns the bytes of ranges.
func spans(ranges []freeRange) []patch.Span {
	list := make([]patch.Span, len(ranges))
	for i, r := range ranges {
		list[i] = patch.Span{From: r.from, To: r.to}
	}
	return list
}

func byPosition(a, b freeRange) int { return cmp.Compare(a.from, b.from) }

// disjoint returns the ranges that overlap no other. The input must be sorted.
func disjoint(ranges []freeRange) (list []freeRange) {
	for i := 0; i < len(ranges); {
		next, end := i+1, ranges[i].to
		for ; next < len(ranges) && ranges[next].from < end; next++ {
			end = max(end, ranges[next].to)
		}
		if next == i+1 {
			list = append(list, ranges[i])
		}
		i = next
	}
	return list
}

// unusedConstants returns the file's constants whose last use the edit removes and that added
// constants are like: the others' data would be lost.
func (w *editor) unusedConstants() (list []int) {
	stored := map[int]bool{}
	for i := range w.e.Tensors {
		if t := &w.e.Tensors[i]; t.Data != nil {
			stored[t.Like] = true
		}
	}
	for _, t := range w.unused() {
		tensor := &w.m.Subgraphs[w.e.Subgraph].Tensors[t]
		if stored[t] && tensor.Constant && !tensor.Sparse && tensor.ExternalBuffer == 0 && tensor.Buffer > 0 {
			list = append(list, t)
		}
	}
	return list
}

// neededBuffers marks the buffers referenced by anything except the given tensors.
func (w *editor) neededBuffers(retired []int) []bool {
	needed := make([]bool, len(w.m.Buffers))
	need := func(i int) {
		if i >= 0 && i < len(needed) {
			needed[i] = true
		}
	}
	for s := range w.m.Subgraphs {
		for t := range w.m.Subgraphs[s].Tensors {
			if _, found := slices.BinarySearch(retired, t); !found || s != w.e.Subgraph {
				need(w.m.Subgraphs[s].Tensors[t].Buffer)
			}
		}
	}
	for i := range w.e.Tensors {
		need(w.e.Tensors[i].Buffer)
	}
	for _, md := range w.m.Metadata {
		need(md.Buffer)
	}
	pos, n := w.old.Vector(patch.FieldMetadataBuffer)
	for i := range n {
		need(int(int32(le.Uint32(w.m.Data[pos+lengthBytes+4*int64(i):]))))
	}
	return needed
}

// plainBuffers reports whether the schema covers all references to buffers: no metadata lists
// compressed tensors or holds file positions of its own.
func plainBuffers(m *tflite.Model) bool {
	return !slices.ContainsFunc(m.Metadata, func(md tflite.Metadata) bool {
		return md.Name == compressionMetadata || patch.VendorMetadata[md.Name]
	})
}

// freeRangeOf returns the range of a buffer's data, or false if the buffer's table has newer fields
// or the data is not in the flatbuffer.
func freeRangeOf(m *tflite.Model, index int) (freeRange, bool) {
	b := m.Buffers[index]
	if len(b.Data) == 0 || b.Outside {
		return freeRange{}, false
	}
	var table schema.Buffer
	schema.GetRootAsModel(m.Data, 0).Buffers(&table, index)
	if _, more := patch.NewerField(table.Table(), 1); more {
		return freeRange{}, false
	}
	return freeRange{index, b.Offset - lengthBytes, b.Offset + int64(len(b.Data))}, true
}

// untouched returns the ranges whose bytes are read only as their buffer's data: by no other
// table and through no file position. The input must be sorted and disjoint.
func untouched(m *tflite.Model, ranges []freeRange) []freeRange {
	sure := true
	c := newReadCounts(ranges)
	err := tflite.Extents(m.Data, func(e tflite.Extent) {
		sure = sure && e.What != tflite.Unread
		c.add(e.From, e.To, e.What == bufferData)
	})
	if err != nil || !sure {
		return nil
	}
	visitPositioned(m, func(from, to int64) { c.add(from, to, false) })
	for _, b := range m.Buffers {
		if b.Data != nil && !b.Outside {
			c.add(b.Offset-lengthBytes, b.Offset+int64(len(b.Data)), true)
		}
	}
	return c.readExactly(2) // one extent of the buffer's table, one buffer entry
}

// bufferData names the extent of a buffer's data including its length.
const bufferData = "Buffer.data"

// visitPositioned visits the bytes that file positions point to: buffers, even those with data in the
// flatbuffer, and operators' options.
func visitPositioned(m *tflite.Model, visit func(from, to int64)) {
	add := func(from, n uint64) {
		if size := uint64(len(m.Data)); from > 1 && from < size && n > 0 {
			visit(int64(from), int64(from+min(n, size-from)))
		}
	}
	var b schema.Buffer
	r := schema.GetRootAsModel(m.Data, 0)
	for i := range m.Buffers {
		r.Buffers(&b, i)
		add(b.Offset(), b.Size())
	}
	for s := range m.Subgraphs {
		for i := range m.Subgraphs[s].Operators {
			op := m.Subgraphs[s].Operators[i].Table()
			add(op.LargeCustomOptionsOffset(), op.LargeCustomOptionsSize())
		}
	}
}
