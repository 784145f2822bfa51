package op

import "github.com/tflarena/tflarena/schema"

// Operators that slice a tensor.

// slice has begins and sizes; the size -1 takes all remaining elements.
var slice = facts{
	params: []int{1, 2},
	shapes: single(func(n node) []int64 {
		in, begin, count := n.shape(0), n.ints(1), n.ints(2)
		if len(begin) != len(in) || len(count) != len(in) {
			n.fail("it takes %d and %d numbers for %d dimensions", len(begin), len(count), len(in))
		}
		out := make([]int64, len(in))
		for i, d := range in {
			if out[i] = count[i]; count[i] == -1 {
				out[i] = d - n.smallNumber(begin[i])
			}
			if begin[i] < 0 || out[i] < 0 || begin[i] > d-min(out[i], d) || out[i] > d {
				n.fail("%v from %v on does not lie in %v", count, begin, in)
			}
		}
		return out
	}),
	reads: reader{Shifted, func(n node, _ int) []Region {
		r, begin := n.readWhole(0), n.ints(1)
		if len(begin) != len(r) {
			n.fail("it begins at %d numbers", len(begin))
		}
		for i := range r {
			r[i] = shifted(i, r[i].In, n.smallNumber(begin[i]), 1)
		}
		return []Region{r}
	}},
}

// dynamicSlice has its begins in an input, known only at run time.
var dynamicSlice = facts{
	shapes: single(func(n node) []int64 {
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
	shapes: single(func(n node) []int64 {
		in := n.shape(0)
		start, limit, step := n.bounds(len(in))
		for i := range in {
			in[i] = ceilDiv(limit[i]-start[i], step[i])
		}
		return in
	}),
	reads: reader{Shifted, func(n node, _ int) []Region {
		r := n.readWhole(0)
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

// list returns a vector of numbers from the options.
func (n node) list(length int, get func(int) int64) []int64 {
	if length > 2*maxRank {
		n.fail("it has %d numbers in an option", length)
	}
	list := make([]int64, length)
	for i := range list {
		list[i] = n.smallNumber(get(i))
	}
	return list
}
