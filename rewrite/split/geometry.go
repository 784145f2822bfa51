package split

import (
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/tflite/op"
)

// A geometry knows which parts of an operator's inputs a part of its output takes.
type geometry interface {
	// plan says how to get at least the region asked for, which is not empty. It adds the
	// regions of the inputs to ins, which is empty.
	plan(asked region, ins []region) plan
}

// A fixing geometry has an input that is a constant of its own for each piece.
type fixing interface {
	// fixed returns that input, and false where there is none after all.
	fixed(p *plan) (fixed, bool)
}

// A plan is an operator at work on a piece. The zero plan is that of one that is not needed.
type plan struct {
	kind edit.Kind
	// out is the region that comes out: at least what was asked for. Outside of that it
	// may be wrong.
	out region
	// ins are the regions of the inputs that are cut, in the order of [operator.uses].
	ins []region
	// direct reads what lies beneath the padding: the operator pads by itself.
	direct bool
	// copied says that the output is the input, and no operator is needed.
	copied bool
}

// needed says whether there is a piece to work on.
func (p *plan) needed() bool { return !p.out.empty() }

// fixed is a small INT32 input.
type fixed struct {
	position int
	shape    []int32
	data     []int32
}

// A window is a convolution or a pool: with padding VALID as it sees it, behind an
// operator that pads, or with padding of its own where that is right.
type window struct {
	y, x axis
	same bool // what the operator itself says
}

func (g window) plan(asked region, ins []region) plan {
	y, x := g.y.window(asked.y), g.x.window(asked.x)
	switch {
	case !g.same:
		return plan{kind: edit.Piece, out: asked, ins: append(ins, region{y, x})}
	case g.y.fits(asked.y) && g.x.fits(asked.x):
		return plan{kind: edit.Piece, out: asked, ins: append(ins, region{g.y.real(y), g.x.real(x)}), direct: true}
	}
	return plan{kind: edit.Valid, out: asked, ins: append(ins, region{y, x})}
}

// padding returns the rows and columns around the picture, as [pad] has them.
func (g window) padding() pad {
	return pad{
		in: picture{h: g.y.in, w: g.x.in},
		y:  [2]int64{g.y.before, g.y.after}, x: [2]int64{g.x.before, g.x.after},
	}
}

// A carrying window stays with SAME and gets rows to spare where it would see padding.
// Pools have no other way, since they cannot be told what is padding: an average counts
// what is inside the picture.
type carrying struct{ y, x axis }

func (g carrying) plan(asked region, ins []region) plan {
	if !g.y.padded(asked.y) && !g.x.padded(asked.x) {
		in := region{g.y.real(g.y.window(asked.y)), g.x.real(g.x.window(asked.x))}
		return plan{kind: edit.Valid, out: asked, ins: append(ins, in)}
	}
	var in, out region
	in.y, out.y = g.y.carry(asked.y)
	in.x, out.x = g.x.carry(asked.x)
	return plan{kind: edit.Piece, out: out, ins: append(ins, in)}
}

// A pad puts rows and columns around the picture.
type pad struct {
	in   picture
	y, x [2]int64 // before and after
	c    [2]int64
	// kind is edit.Pad, or edit.Piece where the file has the operator.
	kind edit.Kind
	// exact says that what is not padding comes out as it is, quantisation included.
	exact bool
}

func (g pad) plan(asked region, ins []region) plan {
	var in, out region
	in.y, out.y = g.along(asked.y, g.y[0], g.in.h)
	in.x, out.x = g.along(asked.x, g.x[0], g.in.w)
	p := plan{kind: g.kind, ins: append(ins, in), out: out}
	p.copied = g.exact && g.c[0]+g.c[1] == 0 && in.y.len() == out.y.len() && in.x.len() == out.x.len()
	return p
}

func (g pad) fixed(p *plan) (fixed, bool) {
	in, out := p.ins[0], p.out
	top, left := in.y.from+g.y[0]-out.y.from, in.x.from+g.x[0]-out.x.from
	bottom, right := out.y.len()-top-in.y.len(), out.x.len()-left-in.x.len()
	return fixed{position: 1, shape: []int32{4, 2}, data: []int32{
		0, 0, int32(top), int32(bottom), int32(left), int32(right), int32(g.c[0]), int32(g.c[1]),
	}}, true
}

// along returns the rows of the picture among those asked for, and the rows that come
// out. Rows that are all padding take a row of the picture with them, since there is no
// tensor without rows.
func (g pad) along(asked span, before, n int64) (in, out span) {
	in = asked.shift(-before).within(n)
	if !in.empty() {
		return in, asked
	}
	row := min(max(asked.from-before, 0), n-1)
	in = span{row, row + 1}
	return in, asked.hull(in.shift(before))
}

// none says that there is nothing to pad.
func (g pad) none() bool {
	return g.y == [2]int64{} && g.x == [2]int64{} && g.c == [2]int64{}
}

// A local geometry makes just what is asked for, of what the operator reads for it.
type local struct{ ins []op.Region }

func (g local) plan(asked region, ins []region) plan {
	for _, in := range g.ins {
		ins = append(ins, region{taken(in[1], asked.y), taken(in[2], asked.x)})
	}
	return plan{kind: edit.Piece, out: asked, ins: ins}
}

// taken returns the rows of an input that an operator reads for some rows of its output.
func taken(a op.Axis, outs span) span {
	s := a.Reads(op.Span{From: outs.from, To: outs.to})
	return span{s.From, s.To}
}
