package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// These rules exchange MEAN and AVERAGE_POOL_2D over a whole image. Their kernels request different persistent memory
// and scratch.
var (
	meanToAveragePool = Rule{
		Name: "mean-to-average-pool", Purpose: Memory, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorMEAN},
		Condition: "keep_dims, over height and width; " + equalMeans, Result: "AVERAGE_POOL_2D", Reason: equalMeansReason, Exact: unoptimised,
		match: func(s *site) *change {
			in, out := s.in(0), s.out()
			var options schema.ReducerOptions
			if !wholeImage(in, out) || !s.overImage() || !s.op.Options(schema.BuiltinOptionsReducerOptions, &options) || !options.KeepDims() {
				return nil
			}
			c := s.change()
			c.add(schema.BuiltinOperatorAVERAGE_POOL_2D, []int{in.Index}, out.Index, append(windowOf(schema.PaddingVALID, 1, 1),
				edit.Option{Field: poolWidth, Value: int64(in.Shape[2])}, edit.Option{Field: poolHeight, Value: int64(in.Shape[1])})...)
			return c
		},
	}
	averagePoolToMean = Rule{
		Name: "average-pool-to-mean", Purpose: Memory, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorAVERAGE_POOL_2D},
		Condition: "a window of the whole input, no activation; " + equalMeans, Result: "MEAN", Reason: equalMeansReason, Exact: unoptimised,
		match: func(s *site) *change {
			in, out := s.in(0), s.out()
			w, ok := op.WindowOf(s.m, s.sub, s.op)
			var options schema.Pool2DOptions
			if !ok || !wholeImage(in, out) || w.Kernel != [2]int64{int64(in.Shape[1]), int64(in.Shape[2])} ||
				!s.op.Options(schema.BuiltinOptionsPool2DOptions, &options) || options.FusedActivationFunction() != schema.ActivationFunctionTypeNONE {
				return nil
			}
			c := s.change()
			c.add(schema.BuiltinOperatorMEAN, []int{in.Index, c.ints(1, 2)}, out.Index, edit.Option{Field: reducerKeepDims, Value: 1})
			return c
		},
	}
)

const (
	equalMeans       = "FLOAT32 (of integers, the two round differently)"
	equalMeansReason = "both add the elements in the same order and divide the sum by their number"
)

// wholeImage reports whether an output of FLOAT32 has a pixel for the whole input.
func wholeImage(in, out *tflite.Tensor) bool {
	return static(in, out) && in.Type == schema.TensorTypeFLOAT32 && out.Type == in.Type && len(in.Shape) == 4 && slices.Equal(out.Shape, []int32{in.Shape[0], 1, 1, in.Shape[3]})
}

// overImage reports whether the axes of the site are height and width.
func (s *site) overImage() bool {
	axes, ok := s.ints(1)
	rank := int64(4)
	return ok && len(axes) == 2 && slices.Contains([]int64{1 - rank, 1}, axes[0]) && slices.Contains([]int64{2 - rank, 2}, axes[1])
}
