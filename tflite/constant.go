package tflite

import (
	"fmt"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/units"
)

// checkConstant compares a constant's data with its shape. Kernels read as many bytes as the
// shape requires, so short data is an error, except for compressed weights of TensorFlow Lite
// Micro.
func (d *decoder) checkConstant(t *Tensor, where place, table flatbuffers.Table) error {
	b := d.m.Buffer(t)
	if !b.Present && b.Data == nil || ElementBits(t.Type) == 0 || t.Sparse {
		return nil
	}
	pos, _ := tensorBuffer.at(table)
	want, sized := t.PackedBytes()
	have := int64(len(b.Data))
	switch {
	case have == 0:
		if !sized || want > 0 {
			d.noteEmpty(where, pos)
		}
	case !sized && unknown(t.Shape):
		d.warn.add(where.field(tensorBuffer), pos, "data of %s for a tensor of unknown shape %v", units.ExactBytes(have), t.Shape)
	case !sized:
		return &Error{where.field(tensorBuffer), pos, fmt.Sprintf("shape %v is too large for any data", t.Shape)}
	case have < want && !d.compressed:
		return &Error{where.field(tensorBuffer), pos, fmt.Sprintf("data of %s, but %v%v takes %s", units.ExactBytes(have), t.Type, t.Shape, units.ExactBytes(want))}
	case have != want:
		d.warn.add(where.field(tensorBuffer), pos, "data of %s, but %v%v takes %s", units.ExactBytes(have), t.Type, t.Shape, units.ExactBytes(want))
	}
	return nil
}

// An emptyData counts tensors whose data vector is present but empty. Such files have many of
// them, so all share one warning.
type emptyData struct {
	count int
	first Warning
}

func (d *decoder) noteEmpty(where place, pos int64) {
	if d.empty.count == 0 {
		d.empty.first = Warning{Path: where.field(tensorBuffer), Offset: pos}
	}
	d.empty.count++
}

func (d *decoder) warnEmpty() error {
	if e := d.empty; e.count > 0 {
		d.warn.add(e.first.Path, e.first.Offset, "data is there but empty, which LiteRT refuses (%d tensors)", e.count)
	}
	return nil
}

// unknown reports whether a dimension is negative.
func unknown(dims []int32) bool {
	for _, dim := range dims {
		if dim < 0 {
			return true
		}
	}
	return false
}
