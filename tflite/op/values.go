package op

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
)

// Graphs compute shapes from shapes: SHAPE turns a shape into numbers, other operators slice,
// multiply and join these, and RESHAPE or FILL uses the result as its parameter. This file
// evaluates such operators on integers that are known before a run.

// maxNumbers bounds the tracked values of a tensor. No shape, padding or permutation has as
// many.
const maxNumbers = 64

// An evaluation computes the values of an output from the inputs' values. It fails by
// [node.fail].
type evaluation func(n node, output int) []int64

// evaluate returns the values of an output, in file order. ok is false if they are not known
// before a run, are not 32-bit or 64-bit integers, or are too many. The output shapes must be
// known.
func (n node) evaluate(output int) (list []int64, ok bool) {
	t := n.output(output)
	if n.values == nil || t == nil || t.Constant || t.Variable || t.Type != schema.TensorTypeINT32 && t.Type != schema.TensorTypeINT64 ||
		len(n.op.Inputs) > maxNumbers || len(n.op.Outputs) > maxNumbers {
		return nil, false
	}
	why := attempt(func() {
		if shapes, why := n.derive(); why != nil || !slices.Equal(shapes[output], t.Shape) {
			n.fail("its output %d has another shape", output)
		}
		list = n.values(n, output)
		if int64(len(list)) != n.outputElements(output) {
			n.fail("its output %d has not %d elements", output, len(list))
		}
		for _, x := range list {
			if t.Type == schema.TensorTypeINT32 && x != noFloor && x != noCeiling {
				n.smallNumber(x)
			}
		}
	})
	return list, why == nil
}

// outputElements returns the number of elements of an output.
func (n node) outputElements(output int) int64 {
	t := n.output(output)
	if !hasRank(t) {
		n.lack("the shape of its output %d is not known", output)
	}
	elements, ok := t.Elements()
	if !ok || elements > maxNumbers {
		n.lack("its output %d has too many elements", output)
	}
	return elements
}

// numbers returns the values of an input: a constant's, or those evaluated for its producer.
func (n node) numbers(position int) []int64 {
	t := n.input(position)
	if t == nil {
		n.lack("input %d is missing", position)
	}
	if list, ok := n.known[t.Index]; ok {
		if elements, _ := t.Elements(); elements != int64(len(list)) {
			n.fail("its input %d has another shape than when it was made", position)
		}
		return slices.Clone(list)
	}
	list, ok := Ints(n.model, t)
	if !ok {
		n.lack("its input %d is not a constant of integers", position)
	}
	return list
}
