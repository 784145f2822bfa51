package pin_test

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// indexes adds an input of indexes below a limit: a constant, or an input of the graph.
func (d *drawn) indexes(below int32, shape ...int32) {
	count := int32(1)
	for _, n := range shape {
		count *= n
	}
	if below > 2 && d.IntN(2) == 0 {
		// The inputs of oracle.py are from 0 to 2.
		i := d.tensor(encode.Tensor{Type: schema.TensorTypeINT32, Shape: shape})
		d.op.Inputs, d.sub.Inputs = append(d.op.Inputs, i), append(d.sub.Inputs, i)
		return
	}
	values := make([]int32, count)
	for i := range values {
		values[i] = d.Int32N(below)
	}
	d.ints(values...)
	d.sub.Tensors[len(d.sub.Tensors)-1].Shape = shape
}

func gather(d *drawn) {
	height, c, n := d.dim(), d.channels(), d.dim()
	axis := d.Int32N(2)
	d.is(schema.BuiltinOperatorGATHER)
	d.options(schema.BuiltinOptionsGatherOptions, func(b builder) flatbuffers.UOffsetT {
		schema.GatherOptionsStart(b)
		schema.GatherOptionsAddAxis(b, axis)
		return schema.GatherOptionsEnd(b)
	})
	d.in(height, c)
	if axis == 0 {
		d.indexes(height, n)
		d.out(n, c)
	} else {
		d.indexes(c, n)
		d.out(height, n)
	}
}

func gatherND(d *drawn) {
	height, c, n := d.dim(), d.channels(), d.dim()
	d.is(schema.BuiltinOperatorGATHER_ND)
	d.in(height, c)
	if d.IntN(2) == 0 {
		d.indexes(height, n, 1)
		d.out(n, c)
	} else {
		d.indexes(min(height, c), n, 2)
		d.out(n)
	}
}

// embeddingLookup draws a table of any rank, quantised or not, and an output that is quantised or
// not, whatever the types say.
func embeddingLookup(d *drawn) {
	d.is(schema.BuiltinOperatorEMBEDDING_LOOKUP)
	shape := []int32{d.dim(), d.channels(), d.dim(), d.dim(), d.dim()}[:2+d.IntN(4)]
	count := int32(1)
	for _, n := range shape {
		count *= n
	}
	n := d.dim()
	d.indexes(shape[0], n)
	d.kind = []schema.TensorType{schema.TensorTypeFLOAT32, schema.TensorTypeINT8}[d.IntN(2)]
	width := int32(1)
	if d.kind == schema.TensorTypeFLOAT32 {
		width = 4
	}
	scales := d.scales(shape[0])
	d.constant(encode.Tensor{Type: d.kind, Shape: shape, Quantization: scales}, d.bytes(count*width))
	if d.kind == schema.TensorTypeINT8 && d.IntN(3) > 0 {
		d.kind = schema.TensorTypeFLOAT32
	}
	out := append([]int32{n}, shape[1:]...)
	i := d.tensor(encode.Tensor{Type: d.kind, Shape: out, Quantization: d.scales(n)})
	d.op.Outputs, d.sub.Outputs = []int{i}, []int{i}
}

// scales draws a quantisation of any tensor: none, one scale, or one for each of some channels.
func (d *drawn) scales(channels int32) (q encode.Quantization) {
	n := []int32{0, 1, channels}[d.IntN(3)]
	for range n {
		q.Scales, q.Zeros = append(q.Scales, 0.5), append(q.Zeros, 0)
	}
	return q
}
