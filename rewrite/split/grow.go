package split

import (
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/tflite/op"
)

// An enlarging is what happens along one axis where the output has more rows than the
// input: each row of the input stands for as many as the axis' scale.
type enlarging struct {
	op.Axis
	// corners says that the first and last rows of both are at the same places: there
	// are scale rows from one row to the next, and one at the end.
	corners bool
}

// from returns the rows of the input that some rows of the output take, and those that
// come out of them alone: at the edges some may be wrong.
func (e enlarging) from(outs span) (in, computed span) {
	in = taken(e.Axis, outs)
	if e.corners {
		return in, span{in.from * e.Scale, (in.to-1)*e.Scale + 1}
	}
	return in, span{in.from * e.Scale, in.to * e.Scale}
}

// alongBoth plans a piece along two axes, each of which says what rows it takes and what comes out of
// them.
func alongBoth[A interface {
	from(outs span) (in, computed span)
}](y, x A, asked region, ins []region) plan {
	var in, out region
	in.y, out.y = y.from(asked.y)
	in.x, out.x = x.from(asked.x)
	return plan{kind: edit.Piece, ins: append(ins, in), out: out}
}

// A grow is an operator that makes pictures larger by repeating, blending or unfolding.
type grow struct {
	y, x enlarging
	// sized says that input 1 is the size of the output.
	sized bool
}

func (g grow) plan(asked region, ins []region) plan { return alongBoth(g.y, g.x, asked, ins) }

func (g grow) fixed(p *plan) (fixed, bool) {
	size := []int32{int32(p.out.y.len()), int32(p.out.x.len())}
	return fixed{position: 1, shape: []int32{2}, data: size}, g.sized
}

// A scattering is what TRANSPOSE_CONV does along one axis: each row of the input adds to as
// many rows of the output as the kernel has, a stride behind those of the row before, which is
// the axis' scale.
type scattering struct {
	op.Axis
	// extra is how many rows n rows of the input make beyond n strides, which may be
	// negative.
	extra int64
}

// newScattering returns what a window does along the height (0) or the width (1), and false
// where the sizes do not fit each other.
func newScattering(w op.Window, along int, in, out int64) (scattering, bool) {
	a, ok := w.Transposed(along, in, out)
	return scattering{a, out - in*a.Scale}, ok
}

// from returns the rows of the input that some rows of the output take, and those that
// come out of them alone: at the edges some lack what other rows of the input add.
func (s scattering) from(outs span) (in, computed span) {
	need := taken(s.Axis, outs)
	in = span{
		min(need.from, outs.from/s.Scale),
		max(need.to, ceilDiv(max(outs.to-s.extra, 0), s.Scale)),
	}.within(s.In)
	return in, span{in.from * s.Scale, in.to*s.Scale + s.extra}
}

// A scatter is TRANSPOSE_CONV.
type scatter struct {
	y, x     scattering
	channels int64
}

func (g scatter) plan(asked region, ins []region) plan { return alongBoth(g.y, g.x, asked, ins) }

func (g scatter) fixed(p *plan) (fixed, bool) {
	return fixed{position: 0, shape: []int32{4}, data: []int32{
		1, int32(p.out.y.len()), int32(p.out.x.len()), int32(g.channels),
	}}, true
}
