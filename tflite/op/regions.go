package op

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// Regions returns for each input of an operator, in their order, which of its elements one of the
// outputs is made of; output is a place in o.Outputs. It is always right, if not always as small as it could be: what is not known is read
// whole, and so is everything where the file says of the output what cannot be. Kernels that
// quantise a tensor at run time read all of it.
//
// A region says what is needed of the data. What a kernel must have besides, such as the shape
// of an output in an input of its own, is read whole.
func Regions(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator, output int) []Region {
	n := newNode(m, s, o)
	list := n.wholeRegions()
	if n.reads.of == nil || output > 0 && !n.many || !n.consistent(output) {
		return list
	}
	attempt(func() {
		for i, r := range n.reads.of(n, output) {
			if i < len(list) && len(r) > 0 && len(r) == len(list[i]) {
				list[i] = r
			}
		}
	})
	return list
}

// wholeRegions reads all inputs whole.
func (n node) wholeRegions() []Region {
	list := make([]Region, len(n.op.Inputs))
	for i := range list {
		list[i] = n.wholly(i)
	}
	return list
}

// consistent reports whether the file says of an output what can be. Element-wise operators
// compare axis by axis what they read.
func (n node) consistent(output int) bool {
	t := n.output(output)
	if !hasRank(t) || n.arity != 0 {
		return hasRank(t)
	}
	shapes, why := n.derive()
	return why != nil || slices.Equal(shapes[output], t.Shape)
}

// extents returns how many elements an input has along each axis, [Open] where that is not
// known: nil where it is absent, or of a rank that is not known.
func (n node) extents(position int) []int64 {
	t := n.input(position)
	if !hasRank(t) {
		return nil
	}
	list := make([]int64, len(t.Shape))
	for i, d := range t.Shape {
		if list[i] = int64(d); d < 0 {
			list[i] = Open
		}
	}
	return list
}

// extentsOf is extents for an input that must have so many dimensions.
func (n node) extentsOf(position, rank int) []int64 {
	list := n.extents(position)
	if len(list) != rank {
		n.fail("its input %d does not have %d dimensions", position, rank)
	}
	return list
}

// madeOf returns the shape that the file gives an output, which must have so many dimensions.
func (n node) madeOf(output, rank int) []int64 {
	t := n.output(output)
	if t == nil || len(t.Shape) != rank {
		n.fail("its output %d does not have %d dimensions", output, rank)
	}
	shape := make([]int64, rank)
	for i, d := range t.Shape {
		shape[i] = int64(d)
	}
	return shape
}

// wholly reads an input whole.
func (n node) wholly(position int) (r Region) {
	for _, d := range n.extents(position) {
		r = append(r, whole(d))
	}
	return r
}

// along reads an input whole but for one axis, which goes with one of the first output if both
// have as many elements.
func (n node) along(position, axis, of int) Region {
	r, out := n.wholly(position), n.output(0)
	if out != nil && axis < len(r) && of >= 0 && of < len(out.Shape) && r[axis].In == int64(out.Shape[of]) {
		r[axis] = same(of, r[axis].In)
	}
	return r
}
