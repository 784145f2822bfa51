package encode

import (
	"encoding/binary"
	"math"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/schema"
)

// A Quantization maps the integers of a tensor to real numbers: integer q to scale*(q-zero point). One
// scale is for the whole tensor, several are for the indexes of a dimension.
type Quantization struct {
	// Scales are the steps of the real numbers; without any the tensor is not quantised.
	Scales []float32
	// Zeros are the zero points, as many as Scales; nil writes none.
	Zeros []int64
	// Dimension is the dimension, from 0, of several scales.
	Dimension int32
	// Once writes one table for all tensors that set it and are otherwise equal.
	Once bool
}

// quantization writes the table of a quantised tensor, and returns 0 for others.
func (w *writer) quantization(q Quantization) flatbuffers.UOffsetT {
	switch {
	case len(q.Scales) == 0:
		return 0
	case !q.Once:
		return w.newQuantization(q)
	}
	key := q.key()
	if w.quantizations[key] == 0 {
		w.quantizations[key] = w.newQuantization(q)
	}
	return w.quantizations[key]
}

// key identifies a quantisation.
func (q Quantization) key() string {
	key := binary.LittleEndian.AppendUint32(nil, uint32(q.Dimension))
	key = binary.LittleEndian.AppendUint32(key, uint32(len(q.Scales)))
	for _, s := range q.Scales {
		key = binary.LittleEndian.AppendUint32(key, math.Float32bits(s))
	}
	for _, z := range q.Zeros {
		key = binary.LittleEndian.AppendUint64(key, uint64(z))
	}
	return string(key)
}

func (w *writer) newQuantization(q Quantization) flatbuffers.UOffsetT {
	b := w.b
	schema.QuantizationParametersStartScaleVector(b, len(q.Scales))
	for i := len(q.Scales) - 1; i >= 0; i-- {
		b.PrependFloat32(q.Scales[i])
	}
	scales := b.EndVector(len(q.Scales))
	var zeros flatbuffers.UOffsetT
	if q.Zeros != nil {
		schema.QuantizationParametersStartZeroPointVector(b, len(q.Zeros))
		for i := len(q.Zeros) - 1; i >= 0; i-- {
			b.PrependInt64(q.Zeros[i])
		}
		zeros = b.EndVector(len(q.Zeros))
	}
	schema.QuantizationParametersStart(b)
	schema.QuantizationParametersAddScale(b, scales)
	addIf(zeros, func() { schema.QuantizationParametersAddZeroPoint(b, zeros) })
	schema.QuantizationParametersAddQuantizedDimension(b, q.Dimension)
	return schema.QuantizationParametersEnd(b)
}
