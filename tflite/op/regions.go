package op

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// Regions returns for each input of an operator, in order, the region that one output depends
// on; output is an index into o.Outputs. The regions are safe, but not always minimal: unknown
// accesses are read whole, and so is everything if the shape in the file contradicts the
// operator. Kernels that quantise a tensor at run time read it whole.
//
// A region covers data. Other inputs that a kernel needs, such as an output shape, are read
// whole.
func Regions(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator, output int) []Region {
	n := newNode(m, s, o)
	list := n.wholeRegions()
	if n.reads.of == nil || output > 0 && !n.multipleOutputs || !n.consistent(output) {
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
		list[i] = n.readWhole(i)
	}
	return list
}

// consistent reports whether the output shape in the file is possible. Element-wise operators
// compare their inputs with it axis by axis.
func (n node) consistent(output int) bool {
	t := n.output(output)
	if !hasRank(t) || n.arity != 0 {
		return hasRank(t)
	}
	shapes, why := n.derive()
	return why != nil || slices.Equal(shapes[output], t.Shape)
}

// extents returns the number of elements of an input along each axis, [Open] if unknown: nil if
// the input is absent or of unknown rank.
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

// extentsOf is extents for an input of the given rank.
func (n node) extentsOf(position, rank int) []int64 {
	list := n.extents(position)
	if len(list) != rank {
		n.fail("its input %d does not have %d dimensions", position, rank)
	}
	return list
}

// madeOf returns the output shape in the file, which must have the given rank.
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

// readWhole reads an entire input.
//
//go:noinline
func (n node) readWhole(position int) (r Region) {
	for _, d := range n.extents(position) {
		r = append(r, whole(d))
	}
	return r
}

// along reads an entire input except for one axis, which follows one of the first output if
// both have as many elements.
func (n node) along(position, axis, of int) Region {
	r, out := n.readWhole(position), n.output(0)
	if out != nil && axis < len(r) && of >= 0 && of < len(out.Shape) && r[axis].In == int64(out.Shape[of]) {
		r[axis] = same(of, r[axis].In)
	}
	return r
}
