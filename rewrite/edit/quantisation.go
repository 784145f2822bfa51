package edit

import (
	"fmt"
	"math"

	flatbuffers "github.com/google/flatbuffers/go"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
)

// Field ids of a quantisation: the per-channel vectors and the details.
const (
	quantScale        = 2
	quantZeroPoint    = 3
	quantDetailsType  = 4
	quantDetailsField = 5
	quantDimension    = 6
)

// quantisation returns the quantisation table of an added tensor: the table of the tensor it is
// like, or one cut to a range of channels. It returns nil if the tensor has no quantisation.
func (w *editor) quantisation(t *Tensor) (*part, error) {
	var like schema.Tensor
	w.sub.Tensors(&like, t.Like)
	if _, err := tensorSpec.fields(like.Table(), fmt.Sprintf("tensor %s", w.m.TensorID(w.e.Subgraph, t.Like))); err != nil {
		return nil, err
	}
	var q schema.QuantizationParameters
	if like.Quantization(&q) == nil {
		return nil, nil
	}
	table := q.Table()
	if t.Channels == nil {
		return oldPart(int64(table.Pos)), nil
	}
	channels, err := w.channels(t, &q)
	if err != nil || channels <= 1 || *t.Channels == (Range{0, channels}) {
		return oldPart(int64(table.Pos)), err
	}
	fields, err := quantisationSpec.fields(table, "the quantisation")
	if err != nil {
		return nil, err
	}
	for i := range fields {
		if c := &fields[i]; c.id <= quantZeroPoint {
			if c.to, err = w.cut(table, c.id, channels, *t.Channels); err != nil {
				return nil, err
			}
		}
	}
	return w.table(layerOptions, fields), nil
}

// ownQuantisation drafts the quantisation of an added tensor.
func (w *editor) ownQuantisation(q *Quantisation) *part {
	var scales, zeros []byte
	for i := range q.Scales {
		scales = le.AppendUint32(scales, math.Float32bits(q.Scales[i]))
		zeros = le.AppendUint64(zeros, uint64(q.Zeros[i]))
	}
	return w.table(layerOptions, []tableField{
		reference(quantScale, w.vector(layerVectors, len(q.Scales), 4, scales)),
		reference(quantZeroPoint, w.vector(layerVectors, len(q.Zeros), 8, zeros)),
		number(quantDimension, 4, int64(q.Dimension)),
	})
}

// channels returns the number of channels of a quantisation, at most 1 if per-tensor. It
// refuses quantisations that cannot be cut.
func (w *editor) channels(t *Tensor, q *schema.QuantizationParameters) (int, error) {
	var details flatbuffers.Table
	if q.DetailsType() != schema.QuantizationDetailsNONE || q.Details(&details) {
		return 0, &patch.RefusedError{Reason: fmt.Sprintf("the quantisation has details (%s), and cannot be cut to a range of channels", q.DetailsType())}
	}
	n := q.ScaleLength()
	if n <= 1 {
		return n, nil
	}
	if t.Channels.To > n {
		return 0, fmt.Errorf("channels [%d, %d), the quantisation has %d", t.Channels.From, t.Channels.To, n)
	}
	axis := int(q.QuantizedDimension())
	if axis < 0 || axis >= len(t.Shape) || int(t.Shape[axis]) != t.Channels.To-t.Channels.From {
		return 0, fmt.Errorf("channels [%d, %d) of dimension %d, the shape is %v", t.Channels.From, t.Channels.To, axis, t.Shape)
	}
	return n, nil
}

// cut returns a range of a per-channel vector; a vector with at most one element stays whole.
func (w *editor) cut(t flatbuffers.Table, id, channels int, r Range) (*part, error) {
	at, _ := patch.FieldAt(t, id)
	vector := patch.Root{Data: t.Bytes}.Follow(at)
	switch n := int(le.Uint32(t.Bytes[vector:])); n {
	case 0, 1:
		return oldPart(vector), nil
	case channels:
		width, start := channelWidth(id), vector+4
		return w.vector(layerVectors, r.To-r.From, width, t.Bytes[start+width*int64(r.From):start+width*int64(r.To)]), nil
	default:
		return nil, &patch.RefusedError{Reason: fmt.Sprintf("the quantisation has vectors of %d and of %d numbers, and cannot be cut to a range of channels", channels, n)}
	}
}

// joinedQuantisation returns the quantisation table of a restored tensor: that of the tensors it
// is like, with their per-channel vectors one after another. It returns nil if they have none.
func (w *editor) joinedQuantisation(r *Reshaped) (*part, error) {
	var tables []flatbuffers.Table
	for _, t := range r.Like {
		var like schema.Tensor
		var q schema.QuantizationParameters
		w.sub.Tensors(&like, t)
		if like.Quantization(&q) != nil {
			tables = append(tables, q.Table())
		}
	}
	switch {
	case len(tables) == 0:
		return nil, nil
	case len(tables) < len(r.Like):
		return nil, &patch.RefusedError{Reason: "some of its parts are not quantised"}
	case !slices.ContainsFunc(tables, func(t flatbuffers.Table) bool { return t.Pos != tables[0].Pos }):
		return oldPart(int64(tables[0].Pos)), nil
	}
	fields, err := quantisationSpec.fields(tables[0], "the quantisation")
	if err != nil {
		return nil, err
	}
	for i := range fields {
		c := &fields[i]
		if c.id == quantDetailsType || c.id == quantDetailsField {
			return nil, &patch.RefusedError{Reason: "the quantisation of its parts has details, and cannot be joined"}
		}
		if c.id > quantZeroPoint {
			continue
		}
		width, n, packed := channelWidth(c.id), 0, []byte(nil)
		for _, t := range tables {
			if at, found := patch.FieldAt(t, c.id); found {
				vector := patch.Root{Data: t.Bytes}.Follow(at)
				if k := int(le.Uint32(t.Bytes[vector:])); k > 1 {
					n, packed = n+k, append(packed, t.Bytes[vector+4:vector+4+width*int64(k)]...)
				}
			}
		}
		if n > 0 {
			c.to = w.vector(layerVectors, n, width, packed)
		}
	}
	return w.table(layerOptions, fields), nil
}

// channelWidth returns the size in bytes of a channel's number in a per-channel vector.
func channelWidth(id int) int64 {
	if id == quantZeroPoint {
		return 8
	}
	return 4
}
