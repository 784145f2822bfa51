package split

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// constantPart adds a constant with some units of another: a subslice of its bytes if
// contiguous, otherwise a copy.
func (c *slicing) constantPart(from channelSlice, units span) int {
	t := &c.sub.Tensors[from.tensor]
	r := c.channels(t, from.dim, units)
	out := c.part(from.tensor, from.dim, units, "")
	data, inner := c.model.Buffer(t).Data, int64(tflite.ElementBits(t.Type)/8)
	for _, d := range t.Shape[from.dim+1:] {
		inner *= int64(d)
	}
	part, row := data[r.from*inner:r.to*inner:r.to*inner], int64(t.Shape[from.dim])*inner
	if row < int64(len(data)) {
		part = nil
		for at := int64(0); at < int64(len(data)); at += row {
			part = append(part, data[at+r.from*inner:at+r.to*inner]...)
		}
	}
	added := &c.Tensors[out-c.base]
	added.Data = part
	switch way := c.quant.along(from.tensor, from.dim, int(t.Shape[from.dim])); way {
	case perChannel:
		added.Channels = &edit.Range{From: int(r.from), To: int(r.to)}
	case wrongDimension:
		added.Like, added.Type = -1, t.Type
	}
	c.stored(from.tensor, int64(len(part)))
	return out
}

// packings are the constant types whose elements take whole bytes.
var packings = []schema.TensorType{
	schema.TensorTypeFLOAT32, schema.TensorTypeINT8, schema.TensorTypeUINT8, schema.TensorTypeINT16,
	schema.TensorTypeINT32, schema.TensorTypeINT64,
}

// compressionMetadata is the name of the metadata that lists compressed weights.
const compressionMetadata = "COMPRESSION_METADATA"

// storable returns the reason why a constant cannot be stored in slices, or "".
func (d *describer) storable(t *tflite.Tensor) string {
	bytes, ok := t.PackedBytes()
	switch {
	case !slices.Contains(packings, t.Type):
		return "has the type " + t.Type.String()
	case t.Sparse || t.ExternalBuffer != 0 || slices.ContainsFunc(d.model.Metadata, func(m tflite.Metadata) bool { return m.Name == compressionMetadata }):
		return "is not stored plainly"
	case unsized(t) || !ok || bytes != int64(len(d.model.Buffer(t).Data)):
		return fmt.Sprintf("has %s for its shape %v", units.ExactBytes(len(d.model.Buffer(t).Data)), t.Shape)
	}
	return ""
}

// slicedQuantization is the effect of slicing a tensor on its quantisation.
type slicedQuantization int

const (
	// perTensor stays unchanged.
	perTensor slicedQuantization = iota
	// perChannel is sliced along with the tensor.
	perChannel
	// wrongDimension is per-channel, but names a dimension that the tensor does not have.
	wrongDimension
	// notSliceable cannot be sliced.
	notSliceable
)

// along classifies a tensor's quantisation for slicing along a dimension of size n.
func (q quantization) along(tensor, dim, n int) slicedQuantization {
	var t schema.Tensor
	var p schema.QuantizationParameters
	if !q.sub.Tensors(&t, tensor) || t.Quantization(&p) == nil {
		return perTensor
	}
	if p.DetailsType() != schema.QuantizationDetailsNONE {
		return notSliceable
	}
	lengths := []int{p.MinLength(), p.MaxLength(), p.ScaleLength(), p.ZeroPointLength()}
	if slices.Max(lengths) <= 1 {
		return perTensor
	}
	for _, length := range lengths {
		if length > 1 && length != n {
			return notSliceable
		}
	}
	switch at := int(p.QuantizedDimension()); {
	case p.ScaleLength() == n && at == dim:
		return perChannel
	case at >= t.ShapeLength():
		return wrongDimension
	}
	return notSliceable
}
