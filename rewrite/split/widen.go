package split

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// filterZeros are the zeros around a filter along the height and the width.
type filterZeros struct{ y, x zeros }

// Filters to choose from: without zeros; with a row of zeros if that saves a row; with one before the filter
// if possible.
var (
	narrow  = []zeros{{}}
	wider   = []zeros{{}, {before: 1}, {after: 1}}
	shifted = []zeros{{before: 1}, {}}
)

// filters returns the filters allowed for the tiles of a convolution, in order of preference. With a stride,
// SAME aligns the windows of a tile only for an even number of rows, or only for an odd one; a row of zero
// weights shifts the windows, so that no tile needs an extra row. Without a stride, it moves the wrong
// rows to one side. Only integer sums do not depend on the order of their terms. Full convolutions
// are excluded, since zeros would cost them more multiply-accumulates than the row, and so are
// convolutions of a stage input, whose rows exist anyway.
func (g *graph) filters(n *node) []zeros {
	w, ok := op.WindowOf(g.model, g.sub, n.Operator)
	switch {
	case !g.stage.Widen || !ok || w.Dilation != [2]int64{1, 1} || !g.values[n.ins[0]].inside || !g.widens(n.Operator):
		return narrow
	case max(w.Stride[0], w.Stride[1]) > 1:
		return wider
	}
	return shifted
}

// widens reports whether an operator is a depthwise convolution to whose filter zeros can be added.
func (g *graph) widens(o *tflite.Operator) bool {
	if g.code(o) != schema.BuiltinOperatorDEPTHWISE_CONV_2D {
		return false
	}
	t := &g.sub.Tensors[o.Inputs[1]]
	if !t.Constant || t.Variable || t.Type != schema.TensorTypeINT8 || g.storable(t) != "" {
		return false
	}
	scales, zeroPoints := g.quant.of(o.Inputs[1])
	way := g.quant.along(o.Inputs[1], 3, int(t.Shape[3]))
	return len(scales) > 0 && (way == perTensor || way == perChannel) &&
		!slices.ContainsFunc(zeroPoints, func(z int64) bool { return z != 0 })
}

// widenedFilter identifies a filter with zeros around it.
type widenedFilter struct {
	filter int
	zeros  filterZeros
}

// widened returns a constant with zeros around a filter. It is not recorded as a tile of the filter, which
// keeps its data.
func (e *emitter) widened(filter int, z filterZeros) int {
	key := widenedFilter{filter, z}
	if i, ok := e.wide[key]; ok {
		return i
	}
	t := &e.sub.Tensors[filter]
	rows, columns, channels := int64(t.Shape[1]), int64(t.Shape[2]), int64(t.Shape[3])
	height, width := z.y.before+rows+z.y.after, z.x.before+columns+z.x.after
	data, wide := e.model.Buffer(t).Data, make([]byte, height*width*channels)
	for y := range rows {
		at := ((y+z.y.before)*width + z.x.before) * channels
		copy(wide[at:], data[y*columns*channels:(y+1)*columns*channels])
	}
	scales, _ := e.quant.of(filter)
	i := e.addTensor(edit.Tensor{
		Name: shortName(t.Name) + "/wider", Shape: []int32{1, int32(height), int32(width), int32(channels)},
		Like: -1, Type: t.Type, Data: wide,
		Quantisation: &edit.Quantisation{Scales: scales, Zeros: make([]int64, len(scales)), Dimension: 3},
	}, notTile)
	e.wide[key] = i
	e.WeightBytes = saturatingAdd(e.WeightBytes, bufferFile+int64(len(wide)))
	return i
}
