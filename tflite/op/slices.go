package op

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
)

// Operators that take parts of a tensor.

// slice has where it begins, and how many elements it takes: -1 for all that are left.
var slice = facts{
	params: []int{1, 2},
	shapes: alone(func(n node) []int64 {
		in, begin, count := n.shape(0), n.ints(1), n.ints(2)
		if len(begin) != len(in) || len(count) != len(in) {
			n.fail("it takes %d and %d numbers for %d dimensions", len(begin), len(count), len(in))
		}
		out := make([]int64, len(in))
		for i, d := range in {
			if out[i] = count[i]; count[i] == -1 {
				out[i] = d - n.small(begin[i])
			}
			if begin[i] < 0 || out[i] < 0 || begin[i] > d-min(out[i], d) || out[i] > d {
				n.fail("%v from %v on does not lie in %v", count, begin, in)
			}
		}
		return out
	}),
	reads: reader{Shifted, func(n node, _ int) []Region {
		r, begin := n.wholly(0), n.ints(1)
		if len(begin) != len(r) {
			n.fail("it begins at %d numbers", len(begin))
		}
		for i := range r {
			r[i] = shifted(i, r[i].In, n.small(begin[i]), 1)
		}
		return []Region{r}
	}},
}

// dynamicSlice begins where an input says at run time.
var dynamicSlice = facts{
	shapes: alone(func(n node) []int64 {
		var o schema.StablehloDynamicSliceOptions
		n.options2(schema.BuiltinOptions2StablehloDynamicSliceOptions, &o)
		out := n.list(o.SliceSizesLength(), o.SliceSizes)
		if len(out) != len(n.shape(0)) {
			n.fail("it takes %d numbers for %d dimensions", len(out), len(n.shape(0)))
		}
		return out
	}),
}

// stableSlice has its bounds in its options.
var stableSlice = facts{
	shapes: alone(func(n node) []int64 {
		in := n.shape(0)
		start, limit, step := n.bounds(len(in))
		for i := range in {
			in[i] = ceilDiv(limit[i]-start[i], step[i])
		}
		return in
	}),
	reads: reader{Shifted, func(n node, _ int) []Region {
		r := n.wholly(0)
		start, _, step := n.bounds(len(r))
		for i := range r {
			r[i] = shifted(i, r[i].In, start[i], step[i])
		}
		return []Region{r}
	}},
}

func (n node) bounds(rank int) (start, limit, step []int64) {
	var o schema.StablehloSliceOptions
	n.options2(schema.BuiltinOptions2StablehloSliceOptions, &o)
	start, limit, step = n.list(o.StartIndicesLength(), o.StartIndices), n.list(o.LimitIndicesLength(), o.LimitIndices), n.list(o.StridesLength(), o.Strides)
	if len(start) != rank || len(limit) != rank || len(step) != rank {
		n.fail("it takes %d, %d and %d numbers for %d dimensions", len(start), len(limit), len(step), rank)
	}
	for i := range start {
		if start[i] < 0 || limit[i] < start[i] || step[i] <= 0 {
			n.fail("there is no slice from %d to %d", start[i], limit[i])
		}
	}
	return start, limit, step
}

// splitEven makes equal parts, along the dimension that input 0 names.
var splitEven = facts{
	many:   true,
	params: []int{0},
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
		return []Region{n.wholly(0), n.part(1, axis, each*int64(output))}
	}},
}

// splitSized makes parts of the sizes that input 1 names, of which one may be -1, along the
// dimension that input 2 names.
var splitSized = facts{
	many:   true,
	params: []int{1, 2},
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
		return []Region{n.part(0, axis, from), n.wholly(1), n.wholly(2)}
	}},
}

// partSizes returns the sizes of the parts of so many elements, one for each output.
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

// part reads the part of an input that begins at an element along one axis.
func (n node) part(position, axis int, from int64) Region {
	r := n.wholly(position)
	for i := range r {
		begin := int64(0)
		if i == axis {
			begin = from
		}
		r[i] = shifted(i, r[i].In, begin, 1)
	}
	return r
}

// unpack makes a tensor of each element along a dimension, which is gone.
var unpack = facts{
	many: true,
	shapes: func(n node) [][]int64 {
		in := n.ranked(0, 1)
		axis := n.unpackAxis(len(in))
		if in[axis] != int64(len(n.op.Outputs)) {
			n.fail("dimension %d of %v makes not %d outputs", axis, in, len(n.op.Outputs))
		}
		return repeated(without(in, axis), len(n.op.Outputs))
	},
	reads: reader{Same, func(n node, output int) []Region {
		r := n.wholly(0)
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

// list returns the numbers of a vector of options.
func (n node) list(length int, get func(int) int64) []int64 {
	if length > maxRank {
		n.fail("it has options for %d dimensions", length)
	}
	list := make([]int64, length)
	for i := range list {
		list[i] = n.small(get(i))
	}
	return list
}
