package split

import (
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/tflite/op"
)

// geometry maps a region of an operator's output to the input regions it reads.
type geometry interface {
	// plan plans the computation of at least the region asked, which must not be empty. It
	// appends the input regions to ins, which must be empty.
	plan(asked region, ins []region) plan
}

// constantInputs is a geometry with an input that is a different constant for each tile.
type constantInputs interface {
	// constant returns that input, or false if it is not needed.
	constant(p *plan) (constantInput, bool)
}

// plan is an operator applied to a tile. The zero plan means that the operator is not needed.
type plan struct {
	kind edit.Kind
	// out is the computed region: at least the requested one. Outside of that, values may be
	// wrong.
	out region
	// ins are the regions of the tiled inputs, in the order of [operator.uses].
	ins []region
	// direct reads the value under the padding: the operator pads by itself.
	direct bool
	// zeros surround the operator's filter.
	zeros filterZeros
	// copied means that the output is the input and no operator is needed.
	copied bool
}

func (p *plan) needed() bool { return !p.out.empty() }

// constantInput is a small INT32 input.
type constantInput struct {
	position int
	shape    []int32
	data     []int32
}

// window is a convolution or a pool: with padding VALID after a padding node, or with its own
// padding if that is correct.
type window struct {
	y, x axis
	same bool // padding in the file
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

// padding returns the rows and columns around the feature map as a [pad].
func (g window) padding() pad {
	return pad{
		in: featureMap{h: g.y.in, w: g.x.in},
		y:  [2]int64{g.y.before, g.y.after}, x: [2]int64{g.x.before, g.x.after},
	}
}

// sameWindow is a window that keeps SAME and gets extra rows where it would see padding. Pools
// need this, since explicit padding would count as data: an average counts only elements inside
// the feature map.
type sameWindow struct {
	y, x axis
	// filters are the filters to choose from, along both axes.
	filters []zeros
}

func (g sameWindow) plan(asked region, ins []region) plan {
	if !g.y.padded(asked.y) && !g.x.padded(asked.x) {
		in := region{g.y.real(g.y.window(asked.y)), g.x.real(g.x.window(asked.x))}
		return plan{kind: edit.Valid, out: asked, ins: append(ins, in)}
	}
	p := plan{kind: edit.Piece}
	var in region
	in.y, p.out.y, p.zeros.y = g.y.carry(asked.y, g.filters)
	in.x, p.out.x, p.zeros.x = g.x.carry(asked.x, g.filters)
	p.ins = append(ins, in)
	return p
}

// pad adds rows and columns around the feature map.
type pad struct {
	in   featureMap
	y, x [2]int64 // before and after
	c    [2]int64
	// kind is edit.Pad, or edit.Piece if the file has the operator.
	kind edit.Kind
	// exact means that everything except padding is copied unchanged, quantisation included.
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

func (g pad) constant(p *plan) (constantInput, bool) {
	in, out := p.ins[0], p.out
	top, left := in.y.from+g.y[0]-out.y.from, in.x.from+g.x[0]-out.x.from
	bottom, right := out.y.len()-top-in.y.len(), out.x.len()-left-in.x.len()
	return constantInput{position: 1, shape: []int32{4, 2}, data: []int32{
		0, 0, int32(top), int32(bottom), int32(left), int32(right), int32(g.c[0]), int32(g.c[1]),
	}}, true
}

// along returns the requested rows that lie in the feature map, and the rows produced. If all
// requested rows are padding, one row of the feature map is included, since a tensor without rows
// is impossible.
func (g pad) along(asked span, before, n int64) (in, out span) {
	in = asked.shift(-before).within(n)
	if !in.empty() {
		return in, asked
	}
	row := min(max(asked.from-before, 0), n-1)
	in = span{row, row + 1}
	return in, asked.hull(in.shift(before))
}

// none reports whether the padding is empty.
func (g pad) none() bool {
	return g.y == [2]int64{} && g.x == [2]int64{} && g.c == [2]int64{}
}

// pointwise is a geometry that computes a region from the regions the operator reads. Rows or
// columns that do not follow from any input are all computed.
type pointwise struct {
	out *layout
	// y and x are the sources of the rows and columns of each tiled input.
	y, x []source
	// rows and columns mean that some input follows these of the output.
	rows, columns bool
}

// newPointwise returns the geometry of an operator that reads some regions of its tiled inputs.
func newPointwise(out *layout, ins []layout, regions []op.Region) pointwise {
	g := pointwise{out: out}
	for i := range ins {
		y, x := out.sourceOf(regions[i], ins[i].y), out.sourceOf(regions[i], ins[i].x)
		g.y, g.x = append(g.y, y), append(g.x, x)
		g.rows, g.columns = g.rows || y.row || x.row, g.columns || y.column || x.column
	}
	return g
}

func (g pointwise) plan(asked region, ins []region) plan {
	whole := g.out.whole()
	if !g.rows {
		asked.y = whole.y
	}
	if !g.columns {
		asked.x = whole.x
	}
	for i := range g.y {
		ins = append(ins, region{g.y[i].taken(asked), g.x[i].taken(asked)})
	}
	return plan{kind: edit.Piece, out: asked, ins: ins}
}

// taken returns the input rows that an operator reads for some rows of its output.
func taken(a op.Axis, outs span) span {
	s := a.Reads(op.Span{From: outs.from, To: outs.to})
	return span{s.From, s.To}
}
