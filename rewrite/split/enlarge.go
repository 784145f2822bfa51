package split

import (
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/tflite/op"
)

// enlargedAxis describes an operator along an axis with more output rows than input rows: each
// input row maps to Scale output rows.
type enlargedAxis struct {
	op.Axis
	// corners means that the first and last rows of input and output are aligned: Scale rows
	// between neighbouring input rows, and one at the end.
	corners bool
}

// from returns the input rows read by the given output rows, and the output rows computed from
// these alone; rows at the edges may be wrong.
func (e enlargedAxis) from(outs span) (in, computed span) {
	in = taken(e.Axis, outs)
	if e.corners {
		return in, span{in.from * e.Scale, (in.to-1)*e.Scale + 1}
	}
	return in, span{in.from * e.Scale, in.to * e.Scale}
}

// alongBoth plans a tile along two axes.
func alongBoth[A interface {
	from(outs span) (in, computed span)
}](y, x A, asked region, ins []region) plan {
	var in, out region
	in.y, out.y = y.from(asked.y)
	in.x, out.x = x.from(asked.x)
	return plan{kind: edit.Piece, ins: append(ins, in), out: out}
}

// enlarge is an operator that enlarges feature maps by repetition, interpolation or unfolding.
type enlarge struct {
	y, x enlargedAxis
	// sized means that input 1 is the output size.
	sized bool
}

func (g enlarge) plan(asked region, ins []region) plan { return alongBoth(g.y, g.x, asked, ins) }

func (g enlarge) constant(p *plan) (constantInput, bool) {
	size := []int32{int32(p.out.y.len()), int32(p.out.x.len())}
	return constantInput{position: 1, shape: []int32{2}, data: size}, g.sized
}

// transposeConvAxis describes TRANSPOSE_CONV along an axis: each input row contributes to as many
// output rows as the kernel has, starting one stride (Scale) after the previous row's.
type transposeConvAxis struct {
	op.Axis
	// extra is the number of rows that n input rows produce beyond n strides; it may be
	// negative.
	extra int64
}

// newTransposeConvAxis describes a window along the height (0) or the width (1). It returns false if
// the sizes are inconsistent.
func newTransposeConvAxis(w op.Window, along int, in, out int64) (transposeConvAxis, bool) {
	a, ok := w.Transposed(along, in, out)
	return transposeConvAxis{a, out - in*a.Scale}, ok
}

// from returns the input rows that contribute to the given output rows, and the output rows
// computed from these alone; rows at the edges may lack contributions.
func (s transposeConvAxis) from(outs span) (in, computed span) {
	need := taken(s.Axis, outs)
	in = span{
		min(need.from, outs.from/s.Scale),
		max(need.to, ceilDiv(max(outs.to-s.extra, 0), s.Scale)),
	}.within(s.In)
	return in, span{in.from * s.Scale, in.to*s.Scale + s.extra}
}

// transposeConv is TRANSPOSE_CONV.
type transposeConv struct {
	y, x     transposeConvAxis
	channels int64
}

func (g transposeConv) plan(asked region, ins []region) plan { return alongBoth(g.y, g.x, asked, ins) }

func (g transposeConv) constant(p *plan) (constantInput, bool) {
	return constantInput{position: 0, shape: []int32{4}, data: []int32{
		1, int32(p.out.y.len()), int32(p.out.x.len()), int32(g.channels),
	}}, true
}
