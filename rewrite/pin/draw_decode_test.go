package pin_test

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// The decodings of TFLM_DECODE.
const (
	lookUpTable = iota
	huffman
	pruned
)

// decode draws a TFLM_DECODE of one to three tensors, each decoded its own way.
func decode(d *drawn) {
	d.op.Custom = "TFLM_DECODE"
	for range 1 + d.IntN(3) {
		d.decodedTensor()
	}
}

// decodes draws several TFLM_DECODE, each of which decodes what the next operator adds.
func decodes(d *drawn) {
	d.kind = schema.TensorTypeFLOAT32
	shape := []int32{d.channels()}
	d.in(shape...)
	sum := d.op.Inputs[0]
	d.op = encode.Operator{}
	for range 2 + d.IntN(3) {
		d.op = encode.Operator{Custom: "TFLM_DECODE"}
		d.decoded(lookUpTable, d.kind, shape)
		part := d.op.Outputs[0]
		d.before = append(d.before, d.op)
		next := d.activation(shape...)
		d.op = encode.Operator{
			Builtin: schema.BuiltinOperatorADD, Inputs: []int{sum, part}, Outputs: []int{next}, OptionsType: schema.BuiltinOptionsAddOptions,
			Options: func(b builder) flatbuffers.UOffsetT {
				schema.AddOptionsStart(b)
				return schema.AddOptionsEnd(b)
			},
		}
		sum = next
		d.before = append(d.before, d.op)
	}
	d.op, d.before = d.before[len(d.before)-1], d.before[:len(d.before)-1]
	d.sub.Outputs = []int{sum}
}

// decodedTensor adds a decoded output of the graph, of any kind.
func (d *drawn) decodedTensor() {
	decoding := d.IntN(3)
	kinds := []schema.TensorType{schema.TensorTypeINT8, schema.TensorTypeINT16, schema.TensorTypeFLOAT32, schema.TensorTypeINT32, schema.TensorTypeINT64, schema.TensorTypeBOOL}
	if decoding == huffman {
		kinds = kinds[:2]
	}
	shape := []int32{d.channels(), d.dim(), d.channels()}[:1+d.IntN(3)]
	i := d.decoded(decoding, kinds[d.IntN(len(kinds))], shape)
	d.sub.Outputs = append(d.sub.Outputs, i)
}

// decoded adds a tensor that is decoded from random data, and returns it.
func (d *drawn) decoded(decoding int, kind schema.TensorType, shape []int32) int {
	width := map[schema.TensorType]int32{
		schema.TensorTypeINT8: 1, schema.TensorTypeINT16: 2, schema.TensorTypeFLOAT32: 4,
		schema.TensorTypeINT32: 4, schema.TensorTypeINT64: 8, schema.TensorTypeBOOL: 1,
	}[kind]
	elements := int32(1)
	for _, n := range shape {
		elements *= n
	}
	axis := int32(d.IntN(2) * (len(shape) - 1))
	var q encode.Quantization
	channels := int32(1)
	if d.IntN(3) > 0 && kind != schema.TensorTypeFLOAT32 {
		if d.perAxis {
			channels = shape[axis]
		}
		pointed := kind == schema.TensorTypeINT8 && d.IntN(2) == 0
		for range channels {
			zero := int64(0)
			if pointed {
				zero = int64(1 + d.IntN(100))
			}
			q.Scales, q.Zeros = append(q.Scales, 1.0/256), append(q.Zeros, zero)
		}
		if channels > 1 {
			q.Dimension = axis
		}
	}
	ancillary := make([]byte, 16)
	ancillary[0], ancillary[1], ancillary[4] = byte(decoding), 1, 1
	var encoded []byte
	switch decoding {
	case lookUpTable:
		bits := 1 + d.Int32N(7)
		stride := int32(1) << bits
		ancillary[5], ancillary[6] = byte(bits), byte(stride)
		if channels == 1 {
			ancillary[5] |= 0xF0
		} else {
			ancillary[5] |= byte(axis << 4)
		}
		ancillary = append(ancillary, d.bytes(channels*stride*width)...)
		encoded = d.bytes((elements*bits+7)/8 + 16)
	case huffman:
		// Two symbols of one bit each.
		if kind == schema.TensorTypeINT8 && d.IntN(2) == 0 {
			ancillary = append(ancillary, 1, 0x88, 2, 0x88)
		} else {
			ancillary[5] = 1
			ancillary = append(ancillary, 1, 0, 0, 0x88, 2, 0, 0, 0x88)
		}
		encoded = d.bytes((elements+31)/32*4 + 8)
	case pruned:
		encoded = d.bytes((elements + 7) / 8)
		ancillary = append(ancillary, d.bytes(elements*width)...)
	}
	d.constant(encode.Tensor{Type: schema.TensorTypeUINT8, Shape: []int32{int32(len(encoded))}}, encoded)
	d.constant(encode.Tensor{Type: schema.TensorTypeUINT8, Shape: []int32{int32(len(ancillary))}}, ancillary)
	i := d.tensor(encode.Tensor{Type: kind, Shape: shape, Quantization: q})
	d.op.Outputs = append(d.op.Outputs, i)
	return i
}

// bytes returns random data.
func (d *drawn) bytes(n int32) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(d.IntN(256))
	}
	return data
}
