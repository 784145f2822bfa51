package op

import "github.com/tflarena/tflarena/schema"

// stridedSlice takes, along each dimension, elements from begin to end with a stride.
var stridedSlice = facts{
	params: []int{1, 2, 3},
	shapes: single(func(n node) (out []int64) {
		for _, s := range n.strides(n.shape(0)) {
			if !s.shrinkAxis {
				out = append(out, s.count)
			}
		}
		return out
	}),
	reads: reader{Shifted, func(n node, _ int) []Region {
		var r Region
		in, of := n.shape(0), 0
		for _, s := range n.strides(in) {
			switch {
			case s.newAxis:
				of++
			case s.shrinkAxis:
				r = append(r, at(s.from, in[len(r)]))
			default:
				r = append(r, shifted(of, in[len(r)], s.from, s.step))
				of++
			}
		}
		return []Region{r}
	}},
}

// A stride is the effect of STRIDED_SLICE on one dimension of its input, or a new dimension.
type stride struct {
	from, step, count int64
	// shrinkAxis removes a dimension, keeping one element; newAxis adds a dimension.
	shrinkAxis, newAxis bool
}

// A stridedSpec holds the parameters of STRIDED_SLICE.
type stridedSpec struct {
	begin, end, step []int64
	o                schema.StridedSliceOptions
}

// strides returns the effect on each dimension, in order. (The precedence is TensorFlow's:
// ellipsis, new axis, shrink axis.)
func (n node) strides(in []int64) []stride { return n.stridesOf(n.stridedSpec(), in) }

// stridesOf is strides with given parameters.
func (n node) stridesOf(s stridedSpec, in []int64) (list []stride) {
	at, dots := 0, false
	for i := range s.begin {
		switch {
		case bit(s.o.EllipsisMask(), i) && dots:
			n.fail("it has two ellipses")
		case bit(s.o.EllipsisMask(), i):
			dots = true
			for rest := s.named(i + 1); at < len(in)-rest; at++ {
				list = append(list, stride{step: 1, count: in[at]})
			}
		case bit(s.o.NewAxisMask(), i):
			list = append(list, stride{count: 1, newAxis: true})
		case at >= len(in):
			n.fail("it takes more dimensions than there are in %v", in)
		default:
			list = append(list, n.stride(s, i, in[at]))
			at++
		}
	}
	for ; at < len(in); at++ {
		list = append(list, stride{step: 1, count: in[at]})
	}
	return list
}

func (n node) stridedSpec() (s stridedSpec) {
	n.options(schema.BuiltinOptionsStridedSliceOptions, &s.o)
	s.begin, s.end, s.step = n.ints(1), n.ints(2), n.ints(3)
	s.check(n)
	return s
}

// check fails unless there are as many numbers of each kind.
func (s *stridedSpec) check(n node) {
	if len(s.end) != len(s.begin) || len(s.step) != len(s.begin) || len(s.begin) > maxRank {
		n.fail("it takes %d, %d and %d numbers", len(s.begin), len(s.end), len(s.step))
	}
}

// turns reports whether an entry may take fewer elements of a larger dimension: its bounds count from
// different ends, so that they approach each other.
func (s *stridedSpec) turns(i int) bool {
	if bit(s.o.BeginMask(), i) || bit(s.o.EndMask(), i) || bit(s.o.ShrinkAxisMask(), i) {
		return false
	}
	return s.o.Offset() || (s.begin[i] < 0) != (s.end[i] < 0)
}

// named returns the number of input dimensions consumed by the entries starting at from.
func (s *stridedSpec) named(from int) (count int) {
	for i := from; i < len(s.begin); i++ {
		if !bit(s.o.NewAxisMask(), i) {
			count++
		}
	}
	return count
}

// stride returns the effect of an entry on a dimension of d elements.
func (n node) stride(s stridedSpec, i int, d int64) stride {
	begin, end, step := n.smallNumber(s.begin[i]), n.smallNumber(s.end[i]), n.smallNumber(s.step[i])
	if step == 0 {
		n.fail("a stride is 0")
	}
	if s.o.Offset() {
		end += begin
	}
	lowest, highest := int64(0), d // range of begin and end for positive strides
	if step < 0 {
		lowest, highest = -1, d-1
	}
	first, last := lowest, highest
	if step < 0 {
		first, last = highest, lowest
	}
	place := func(at int64, open bool, otherwise int64) int64 {
		switch {
		case open:
			return otherwise
		case at < 0:
			at += d
		}
		return min(max(at, lowest), highest)
	}
	begin = place(begin, bit(s.o.BeginMask(), i), first)
	if bit(s.o.ShrinkAxisMask(), i) {
		if begin < 0 || begin >= d {
			n.fail("element %d of %d is taken", s.begin[i], d)
		}
		return stride{from: begin, step: step, count: 1, shrinkAxis: true}
	}
	end = place(end, bit(s.o.EndMask(), i), last)
	if step < 0 {
		return stride{from: begin, step: step, count: ceilDiv(max(begin-end, 0), -step)}
	}
	return stride{from: begin, step: step, count: ceilDiv(max(end-begin, 0), step)}
}

func bit(mask int32, i int) bool { return mask>>i&1 != 0 }
