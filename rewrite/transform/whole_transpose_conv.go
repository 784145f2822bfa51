package transform

import (
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// wholeTransposeConv computes the whole output that the input of a TRANSPOSE_CONV reaches, without padding, and
// takes a part of it.
var wholeTransposeConv = Rule{
	Name: "whole-transpose-conv", Purpose: Repairs, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorTRANSPOSE_CONV},
	Condition: "INT8 with a constant filter, and an output that is not all that the input reaches",
	Result:    "TRANSPOSE_CONV with VALID padding, whose input is padded and whose filter is widened with zeros if they reach too little, and SLICE",
	Reason:    "each element of the output is the sum of the same products; the added ones are 0",
	Exact:     everywhere,
	match: func(s *site) *change {
		filter, in, out := s.in(1), s.in(2), s.out()
		w, ok := op.WindowOf(s.m, s.sub, s.op)
		if !ok || !static(filter, in, out) || len(in.Shape) != 4 || len(filter.Shape) != 4 || len(out.Shape) != 4 || in.Type != schema.TensorTypeINT8 ||
			filter.Type != in.Type || !s.stored(filter) || in.Shape[0] != out.Shape[0] || filter.Shape[0] != out.Shape[3] {
			return nil
		}
		if shape, ok := s.ints(0); ok && !slices.Equal(shape, widened(out.Shape)) {
			return nil
		}
		q, p := quantisationOf(filter), quantisationOf(in)
		if _, _, ok := p.perTensor(); !ok || !q.symmetric() || q.details {
			return nil
		}
		var before, rows [2]int64 // the padding before the output, and the rows and columns of the input with its padding
		kernel := [2]int64{int64(filter.Shape[1]), int64(filter.Shape[2])}
		whole := slices.Clone(out.Shape)
		for i := range 2 {
			size, stride := int64(out.Shape[1+i]), w.Stride[i]
			if stride <= 0 {
				return nil
			}
			before[i] = transposedPadding(size, kernel[i], stride, w.Padding)
			if i == 1 {
				kernel[i] = max(kernel[i], stride) // scratch is sized for the vertical stride
			}
			more := max(kernel[i]-stride, 0) // what the last row adds to its stride
			rows[i] = max(int64(in.Shape[1+i]), (before[i]+size-more+stride-1)/stride)
			whole[1+i] = int32(min(rows[i]*stride+more, math.MaxInt32))
		}
		if !countable(whole) || kernel[1] > int64(whole[2]) {
			return nil
		}
		c := s.change()
		inputs := slices.Clone(s.op.Inputs)
		inputs[0], inputs[1], inputs[2] = c.ints(widened(whole)...), c.widenedFilter(filter, int32(kernel[1])), c.extended(in, rows)
		if slices.Equal(whole, out.Shape) && inputs[1] == filter.Index && inputs[2] == in.Index {
			return nil
		}
		c.partOf(out, whole, before, func(y int) {
			c.again(inputs, y, edit.Option{Field: windowPadding, Value: int64(schema.PaddingVALID)})
		})
		return c
	},
}

// transposedPadding is the padding before the output of a TRANSPOSE_CONV along an axis.
func transposedPadding(out, kernel, stride int64, padding schema.Padding) int64 {
	n := (out + stride - 1) / stride
	if padding == schema.PaddingVALID {
		n = (out + stride - kernel) / stride
	}
	return max((n-1)*stride+kernel-out, 0) / 2
}

// widenedFilter returns an INT8 filter with columns of zeros up to a width.
func (c *change) widenedFilter(t *tflite.Tensor, width int32) int {
	if t.Shape[2] == width {
		return t.Index
	}
	shape := slices.Clone(t.Shape)
	shape[2] = width
	old, data := c.site.m.Buffer(t).Data, make([]byte, elements(shape))
	row, to := int(t.Shape[2]*t.Shape[3]), int(width*t.Shape[3])
	for i := range int(t.Shape[0] * t.Shape[1]) {
		copy(data[i*to:], old[i*row:(i+1)*row])
	}
	return c.tensor(edit.Tensor{Name: c.name(t), Like: t.Index, Shape: shape, Data: data})
}

// extended returns a tensor [N,H,W,C] with rows and columns of zeros after its own.
func (c *change) extended(t *tflite.Tensor, size [2]int64) int {
	height, width := size[0]-int64(t.Shape[1]), size[1]-int64(t.Shape[2])
	if height == 0 && width == 0 {
		return t.Index
	}
	to := c.like(t, t.Shape[0], int32(size[0]), int32(size[1]), t.Shape[3])
	c.add(schema.BuiltinOperatorPAD, []int{t.Index, c.numbers("paddings", []int32{4, 2}, 0, 0, 0, height, 0, width, 0, 0)}, to)
	return to
}

// partOf calls make with a tensor [N,H,W,C] of which t is the part from a row and a column on.
func (c *change) partOf(t *tflite.Tensor, whole []int32, from [2]int64, make func(output int)) {
	if slices.Equal(t.Shape, whole) {
		make(t.Index)
		return
	}
	all := c.like(t, whole...)
	make(all)
	c.add(schema.BuiltinOperatorSLICE, []int{all, c.ints(0, from[0], from[1], 0), c.ints(widened(t.Shape)...)}, t.Index)
}
