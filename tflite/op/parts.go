package op

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
)

// Operators that split a tensor.

// splitEven splits into equal parts, along the dimension in input 0.
var splitEven = facts{
	multipleOutputs: true,
	params:          []int{0},
	shapes: func(n node) [][]int64 {
		in := n.shape(1)
		axis, parts := n.axis(n.number(0), len(in)), int64(len(n.op.Outputs))
		if parts == 0 || in[axis]%parts != 0 {
			n.fail("%d parts of dimension %d of %v are not equal", parts, axis, in)
		}
		return repeated(with(in, axis, in[axis]/parts), int(parts))
	},
	reads: reader{Shifted, func(n node, output int) []Region {
		axis := n.axis(n.number(0), len(n.extents(1)))
		each := n.shape(1)[axis] / int64(len(n.op.Outputs))
		return []Region{n.readWhole(0), n.part(1, axis, each*int64(output))}
	}},
}

// splitSized splits into parts of the sizes in input 1, one of which may be -1, along the
// dimension in input 2.
var splitSized = facts{
	multipleOutputs: true,
	params:          []int{1, 2},
	shapes: func(n node) (list [][]int64) {
		in := n.shape(0)
		axis := n.axis(n.number(2), len(in))
		for _, d := range n.partSizes(in[axis]) {
			list = append(list, with(in, axis, d))
		}
		return list
	},
	reads: reader{Shifted, func(n node, output int) []Region {
		in := n.shape(0)
		axis, from := n.axis(n.number(2), len(in)), int64(0)
		for _, d := range n.partSizes(in[axis])[:output] {
			from += d
		}
		return []Region{n.part(0, axis, from), n.readWhole(1), n.readWhole(2)}
	}},
}

// partSizes returns the sizes of the parts, one per output.
func (n node) partSizes(elements int64) []int64 {
	sizes := slices.Clone(n.ints(1))
	if len(sizes) != len(n.op.Outputs) {
		n.fail("it has %d outputs and %d sizes", len(n.op.Outputs), len(sizes))
	}
	left, open := elements, -1
	for i, d := range sizes {
		switch {
		case d == -1 && open < 0:
			open = i
		case d < 0 || d > left:
			n.fail("parts of %v are not in %d elements", sizes, elements)
		default:
			left -= d
		}
	}
	if open >= 0 {
		sizes[open], left = left, 0
	}
	if left != 0 {
		n.fail("parts of %v are not all of %d elements", sizes, elements)
	}
	return sizes
}

// part reads an input from an element on along one axis.
func (n node) part(position, axis int, from int64) Region {
	r := n.readWhole(position)
	for i := range r {
		begin := int64(0)
		if i == axis {
			begin = from
		}
		r[i] = shifted(i, r[i].In, begin, 1)
	}
	return r
}

// unpack makes a tensor of each slice along a dimension, which is removed.
var unpack = facts{
	multipleOutputs: true,
	shapes: func(n node) [][]int64 {
		in := n.ranked(0, 1)
		axis := n.unpackAxis(len(in))
		if in[axis] != int64(len(n.op.Outputs)) {
			n.fail("dimension %d of %v makes not %d outputs", axis, in, len(n.op.Outputs))
		}
		return repeated(without(in, axis), len(n.op.Outputs))
	},
	reads: reader{Same, func(n node, output int) []Region {
		r := n.readWhole(0)
		axis, of := n.unpackAxis(len(r)), 0
		for i := range r {
			if i == axis {
				r[i] = at(int64(output), r[i].In)
				continue
			}
			r[i] = same(of, r[i].In)
			of++
		}
		return []Region{r}
	}},
}

func (n node) unpackAxis(rank int) int {
	var o schema.UnpackOptions
	n.options(schema.BuiltinOptionsUnpackOptions, &o)
	return n.axis(int64(o.Axis()), rank)
}
