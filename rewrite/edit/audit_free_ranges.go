package edit

import (
	"bytes"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// auditBytes checks that the old bytes, which follow the new tables, changed only at the sites
// and in the ranges.
func (w *editor) auditBytes(data []byte, sites []patch.Site) error {
	free := slices.Clone(w.freeRanges)
	for _, s := range sites {
		free = append(free, freeRange{from: s.At, to: s.At + int64(s.Width)})
	}
	slices.SortStableFunc(free, byPosition)
	old, now := w.m.Data, data[w.Shift():]
	at := int64(0)
	for _, r := range append(free, freeRange{from: int64(len(old)), to: int64(len(old))}) {
		if at < r.from && !bytes.Equal(old[at:r.from], now[at:r.from]) {
			return patch.Sharing("bytes of the edited file between %#x and %#x would not be what they were", at+w.Shift(), r.from+w.Shift())
		}
		at = max(at, r.to)
	}
	return nil
}

// auditFreeRanges checks that only added buffers use the bytes of the ranges in the new file, without
// overlap, and that the remaining bytes are zero.
func (w *editor) auditFreeRanges(got *tflite.Model) error {
	if len(w.freeRanges) == 0 {
		return nil
	}
	if err := w.auditEmptied(got); err != nil {
		return err
	}
	placed := w.placedBuffers(got)
	if err := w.auditPlaced(got.Data, placed); err != nil {
		return err
	}
	moved := make([]freeRange, len(w.freeRanges))
	for i, r := range w.freeRanges {
		moved[i] = freeRange{r.buffer, r.from + w.Shift(), r.to + w.Shift()}
	}
	all, known, readers := newReadCounts(moved), newReadCounts(placed), 0
	read := func(from, to int64, whole bool) {
		if all.touched(from, to) {
			readers++
		}
		known.add(from, to, whole)
	}
	err := tflite.Extents(got.Data, func(e tflite.Extent) { read(e.From, e.To, e.What == bufferData) })
	if err != nil {
		return err
	}
	visitPositioned(got, func(from, to int64) { read(from, to, false) })
	if len(known.readExactly(1)) != len(placed) || readers != len(placed) {
		return patch.Sharing("what lies where buffers were would be read by others too")
	}
	return nil
}

// auditEmptied returns an error if anything in the new file still uses a buffer whose data was
// replaced.
func (w *editor) auditEmptied(got *tflite.Model) error {
	for s := range got.Subgraphs {
		for t := range got.Subgraphs[s].Tensors {
			if tensor := &got.Subgraphs[s].Tensors[t]; w.emptiedBuffers[tensor.Buffer] && (s != w.e.Subgraph || !isEmptied(tensor)) {
				return patch.Sharing("tensor %s of the edited file would have lost its data", got.TensorID(s, t))
			}
		}
	}
	for _, md := range got.Metadata {
		if w.emptiedBuffers[md.Buffer] {
			return patch.Sharing("metadata %q of the edited file would have lost its data", md.Name)
		}
	}
	for _, r := range w.freeRanges {
		if patch.Listed(got, r.buffer) || got.Buffers[r.buffer].Present {
			return patch.Sharing("buffers[%d] of the edited file would not be without use", r.buffer)
		}
	}
	return nil
}

// isEmptied reports whether a tensor has no elements and no uses.
func isEmptied(t *tflite.Tensor) bool {
	n, sized := t.PackedBytes()
	return sized && n == 0 && t.Producer < 0 && len(t.Consumers) == 0 && !t.Input && !t.Output && !t.Variable
}

// placedBuffers returns the positions in the new file of the added buffers placed in ranges, sorted.
func (w *editor) placedBuffers(got *tflite.Model) (list []freeRange) {
	for i := range w.buffers {
		index := w.firstBuffer() + i
		if w.places[i] == 0 || index >= len(got.Buffers) {
			continue
		}
		b := got.Buffers[index]
		list = append(list, freeRange{index, b.Offset - lengthBytes, b.Offset + int64(len(b.Data))})
	}
	slices.SortStableFunc(list, byPosition)
	return list
}

// auditPlaced checks that placed buffers lie inside ranges, aligned and disjoint, and that the rest of
// the ranges is zero.
func (w *editor) auditPlaced(data []byte, placed []freeRange) error {
	k := 0
	for _, r := range w.freeRanges {
		at, end := r.from+w.Shift(), r.to+w.Shift()
		for ; k < len(placed) && placed[k].to <= end; k++ {
			if l := placed[k]; l.from < at || (l.from+lengthBytes)%schema.DataAlignment != 0 || !zero(data[at:l.from]) {
				return patch.Sharing("buffers[%d] of the edited file would lie at %#x", l.buffer, l.from)
			}
			at = placed[k].to
		}
		if !zero(data[at:end]) {
			return patch.Sharing("bytes of a buffer that is gone would stay at %#x", at)
		}
	}
	if k != len(placed) || k != w.placedCount() {
		return patch.Sharing("%d buffers of the edited file would lie where others were, not %d", k, w.placedCount())
	}
	return nil
}

func zero(data []byte) bool {
	return len(bytes.TrimLeft(data, "\x00")) == 0
}
