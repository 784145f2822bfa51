package op

import "github.com/tflarena/tflarena/schema"

// StableHLO operators with dimension numbers in their options. The formulas are from its
// specification.

// stablehloConvolution has the dimension numbers of the filter in its options. The gaps of an
// input dilation count like data.
var stablehloConvolution = facts{
	shapes: single(func(n node) []int64 {
		var o schema.StablehloConvolutionOptions
		n.options2(schema.BuiltinOptions2StablehloConvolutionOptions, &o)
		in, filter := n.ranked(0, 2), n.shape(1)
		rank, groups := len(in), max(o.BatchGroupCount(), 1)
		space := [...][]int64{
			n.list(o.InputSpatialDimensionsLength(), o.InputSpatialDimensions), n.list(o.KernelSpatialDimensionsLength(), o.KernelSpatialDimensions),
			n.list(o.OutputSpatialDimensionsLength(), o.OutputSpatialDimensions),
		}
		s := windowParams{
			strides: n.list(o.WindowStridesLength(), o.WindowStrides), dilations: n.list(o.RhsDilationLength(), o.RhsDilation),
			inputDilations: n.list(o.LhsDilationLength(), o.LhsDilation), pads: n.list(o.PaddingLength(), o.Padding),
		}
		out := make([]int64, rank)
		for i := range rank - 2 {
			if len(space[0]) != rank-2 || len(space[1]) != rank-2 || len(space[2]) != rank-2 {
				n.fail("its options do not name %d dimensions", rank-2)
			}
			kernel := filter[n.axis(space[1][i], len(filter))]
			out[n.axis(space[2][i], rank)] = s.along(n, i, rank-2, in[n.axis(space[0][i], rank)], kernel)
		}
		out[n.axis(o.OutputBatchDimension(), rank)] = in[n.axis(o.InputBatchDimension(), rank)] / groups
		out[n.axis(o.OutputFeatureDimension(), rank)] = filter[n.axis(o.KernelOutputFeatureDimension(), len(filter))]
		return out
	}),
	macs: func(n node) Count {
		var o schema.StablehloConvolutionOptions
		f := n.input(1)
		if f == nil || !n.op.Options2(schema.BuiltinOptions2StablehloConvolutionOptions, &o) {
			return Count{}
		}
		outputs := o.KernelOutputFeatureDimension()
		if outputs < 0 || outputs >= int64(len(f.Shape)) {
			return Count{}
		}
		return n.convolve(Outputs, n.output(0), len(f.Shape), func(f []int32) int64 {
			return times(size(f[:outputs]...), size(f[outputs+1:]...))
		})
	},
}

// stableReduceWindow has an initial value per input, and as many outputs as inputs.
var stableReduceWindow = facts{
	multipleOutputs: true,
	shapes: func(n node) (list [][]int64) {
		var o schema.StablehloReduceWindowOptions
		n.options2(schema.BuiltinOptions2StablehloReduceWindowOptions, &o)
		window := n.list(o.WindowDimensionsLength(), o.WindowDimensions)
		s := windowParams{
			strides: n.list(o.WindowStridesLength(), o.WindowStrides), dilations: n.list(o.WindowDilationsLength(), o.WindowDilations),
			inputDilations: n.list(o.BaseDilationsLength(), o.BaseDilations), pads: n.list(o.PaddingLength(), o.Padding),
		}
		for position := range len(n.op.Inputs) / 2 {
			out := n.shapeOf(position, len(window))
			for i, d := range out {
				out[i] = s.along(n, i, len(out), d, window[i])
			}
			list = append(list, out)
		}
		return list
	},
}

// windowParams holds the parameters of a window along some dimensions. Empty lists mean strides
// and dilations of 1, and no padding.
type windowParams struct {
	strides, dilations []int64
	// inputDilations is the dilation of the input, pads the padding before and after each dimension.
	inputDilations, pads []int64
}

// along returns the number of window positions over in elements, along one of the given number
// of dimensions.
func (s windowParams) along(n node, dimension, of int, in, window int64) int64 {
	for _, list := range [][]int64{s.strides, s.dilations, s.inputDilations} {
		if len(list) != 0 && (len(list) != of || list[dimension] < 1) {
			n.fail("its options are %v for dimension %d of %d", list, dimension, of)
		}
	}
	room := max((in-1)*number(s.inputDilations, dimension, 1)+1, 0)
	if len(s.pads) != 0 && len(s.pads) != 2*of {
		n.fail("it has %d paddings for %d dimensions", len(s.pads), of)
	}
	room += number(s.pads, 2*dimension, 0) + number(s.pads, 2*dimension+1, 0)
	reach := (window - 1) * number(s.dilations, dimension, 1)
	if window < 1 || room <= reach {
		return 0
	}
	return (room-reach-1)/number(s.strides, dimension, 1) + 1
}

// number returns an element of a list, or a default if the list is empty.
func number(list []int64, i int, otherwise int64) int64 {
	if len(list) == 0 {
		return otherwise
	}
	return list[i]
}

// stableGather takes slices of one size. Its output has the dimensions of the indices, without
// the index vector dimension, interleaved with the dimensions of the slices.
var stableGather = facts{shapes: single(func(n node) []int64 {
	var o schema.StablehloGatherOptions
	n.options2(schema.BuiltinOptions2StablehloGatherOptions, &o)
	in, batch := n.shape(0), n.shape(1)
	if at := o.IndexVectorDim(); at != int64(len(batch)) {
		batch = without(batch, n.axis(at, len(batch)))
	}
	slice := n.list(o.SliceSizesLength(), o.SliceSizes)
	if len(slice) != len(in) {
		n.fail("it takes slices of %d dimensions, not %d", len(slice), len(in))
	}
	slice = remainingDims(slice, n.axes(n.list(o.CollapsedSliceDimsLength(), o.CollapsedSliceDims), len(in)))
	out := make([]int64, len(batch)+len(slice))
	offsets := n.axes(n.list(o.OffsetDimsLength(), o.OffsetDims), len(out))
	for i, offset := range offsets {
		from := &batch
		if offset {
			from = &slice
		}
		if len(*from) == 0 {
			n.fail("its options do not name %d dimensions", len(out))
		}
		out[i], *from = (*from)[0], (*from)[1:]
	}
	return out
})}
