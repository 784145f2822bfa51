package tflite

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/schema"
)

var (
	bufferData   = fieldOf(tableBuffer, "data")
	bufferOffset = fieldOf(tableBuffer, "offset")
)

// buffers decodes the buffers without reading their contents.
func (d *decoder) buffers() error {
	n := d.root.BuffersLength()
	if err := d.spend(n, "buffers", int64(d.root.Table().Pos)); err != nil {
		return err
	}
	d.m.Buffers = make([]Buffer, n)
	var b schema.Buffer
	for i := range d.m.Buffers {
		d.root.Buffers(&b, i)
		if err := d.buffer(i, &b); err != nil {
			return err
		}
	}
	if n == 0 {
		d.warn.add("buffers", int64(d.root.Table().Pos), "the model has no buffers, which LiteRT refuses")
	} else if d.m.Buffers[0].Data != nil {
		d.warn.add("buffers[0]", d.m.Buffers[0].Offset, "buffer 0 stands for no data, but has %s", units.ExactBytes(len(d.m.Buffers[0].Data)))
	}
	return nil
}

func (d *decoder) buffer(i int, b *schema.Buffer) error {
	out := &d.m.Buffers[i]
	pos, n, present := bufferData.vector(b.Table())
	out.Present = present
	if n > 0 {
		out.Data, out.Offset = d.m.Data[pos:pos+int64(n):pos+int64(n)], pos
	}
	// LiteRT's rule: an offset of 0 or 1 means no offset, and embedded data has precedence.
	if present || b.Offset() <= 1 || b.Size() == 0 {
		return nil
	}
	at, _ := bufferOffset.at(b.Table())
	r, err := d.absolute(fmt.Sprintf("buffers[%d].offset", i), at, b.Offset(), b.Size(), "buffer")
	if err != nil {
		return err
	}
	out.Data, out.Offset, out.Outside = d.m.Data[r.Start:r.End:r.End], r.Start, true
	return nil
}

// absolute checks and records a range of the file given by an absolute offset.
func (d *decoder) absolute(where string, at int64, offset, size uint64, kind string) (Range, error) {
	all := uint64(len(d.m.Data))
	if offset > all || size > all-offset {
		problem := fmt.Sprintf("%s at %#x are outside the file of %s", units.ExactBytes(size), offset, units.ExactBytes(all))
		return Range{}, &Error{Path: where, Offset: at, Problem: problem}
	}
	r := Range{Start: int64(offset), End: int64(offset + size), Kind: kind}
	if r.Start < d.m.FlatbufferEnd {
		d.warn.add(where, at, "absolute offset %#x leads into the flatbuffer, which ends at %#x", offset, d.m.FlatbufferEnd)
	}
	d.outside = append(d.outside, r)
	return r, nil
}

// externalBuffers collects the identifiers that tensors may refer to.
func (d *decoder) externalBuffers() error {
	d.external = map[uint32]bool{}
	var e schema.ExternalBuffer
	for i := range d.root.ExternalBuffersLength() {
		d.root.ExternalBuffers(&e, i)
		d.external[e.Id()] = true
		if groups := d.root.ExternalBufferGroupsLength(); int64(e.Group()) >= int64(groups) {
			where := fmt.Sprintf("external_buffers[%d].group", i)
			d.warn.add(where, int64(e.Table().Pos), "group %d is out of range [0, %d)", e.Group(), groups)
		}
	}
	return nil
}
