package split

import "github.com/tflarena/tflarena/rewrite/edit"

// An enlarging is what happens along one axis where the output has more rows than the
// input: each row of the input stands for factor rows.
type enlarging struct {
	in, out, factor int64
	// above and below say that a row of the output also depends on the row of the input
	// before and behind the one it stands in.
	above, below int64
	// corners says that the first and last rows of both are at the same places: there
	// are factor rows from one row to the next, and one at the end.
	corners bool
}

// from returns the rows of the input that some rows of the output take, and those that
// come out of them alone: at the edges some may be wrong.
func (e enlarging) from(outs span) (in, computed span) {
	if e.corners {
		in = span{outs.from / e.factor, ceilDiv(outs.to-1, e.factor) + 1}.within(e.in)
		return in, span{in.from * e.factor, (in.to-1)*e.factor + 1}
	}
	in = span{outs.from/e.factor - e.above, ceilDiv(outs.to, e.factor) + e.below}.within(e.in)
	return in, span{in.from * e.factor, in.to * e.factor}
}

// A grow is an operator that makes pictures larger by repeating, blending or unfolding.
type grow struct {
	y, x enlarging
	// sized says that input 1 is the size of the output.
	sized bool
}

func (g grow) plan(asked region) plan {
	p := plan{kind: edit.Piece, ins: make([]region, 1)}
	p.ins[0].y, p.out.y = g.y.from(asked.y)
	p.ins[0].x, p.out.x = g.x.from(asked.x)
	if g.sized {
		size := []int32{int32(p.out.y.len()), int32(p.out.x.len())}
		p.fixed = []fixed{{position: 1, shape: []int32{2}, data: size}}
	}
	return p
}

// A scattering is what TRANSPOSE_CONV does along one axis: row i of the input adds to k
// rows of the output from i*stride-before on.
type scattering struct {
	in, out, k, stride, before int64
	// extra is how many rows n rows of the input make beyond n*stride, which may be
	// negative.
	extra int64
}

// newScattering returns false where the sizes do not fit each other.
func newScattering(in, out, k, stride int64, same bool) (scattering, bool) {
	if in <= 0 || out <= 0 || k <= 0 || stride <= 0 {
		return scattering{}, false
	}
	s := scattering{in: in, out: out, k: k, stride: stride, extra: out - in*stride}
	if !same {
		return s, s.extra == k-stride
	}
	s.before = samePadding(out, k, stride) / 2
	return s, in == ceilDiv(out, stride)
}

// from returns the rows of the input that some rows of the output take, and those that
// come out of them alone: at the edges some lack what other rows of the input add.
func (s scattering) from(outs span) (in, computed span) {
	first := ceilDiv(max(outs.from+s.before-s.k+1, 0), s.stride)
	last := (outs.to - 1 + s.before) / s.stride
	in = span{
		min(first, outs.from/s.stride),
		max(last+1, ceilDiv(max(outs.to-s.extra, 0), s.stride)),
	}.within(s.in)
	return in, span{in.from * s.stride, in.to*s.stride + s.extra}
}

// A scatter is TRANSPOSE_CONV.
type scatter struct {
	y, x     scattering
	channels int64
}

func (g scatter) plan(asked region) plan {
	p := plan{kind: edit.Piece, ins: make([]region, 1)}
	p.ins[0].y, p.out.y = g.y.from(asked.y)
	p.ins[0].x, p.out.x = g.x.from(asked.x)
	p.fixed = []fixed{{position: 0, shape: []int32{4}, data: []int32{
		1, int32(p.out.y.len()), int32(p.out.x.len()), int32(g.channels),
	}}}
	return p
}

// A fold makes one row of factor rows: SPACE_TO_DEPTH.
type fold struct{ factor int64 }

func (g fold) plan(asked region) plan {
	times := func(s span) span { return span{s.from * g.factor, s.to * g.factor} }
	return plan{kind: edit.Piece, out: asked, ins: []region{{times(asked.y), times(asked.x)}}}
}
