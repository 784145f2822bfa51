package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

// Fields of StridedSliceOptions.
const (
	stridedBeginMask = iota
	stridedEndMask
	stridedEllipsisMask
	stridedNewAxisMask
	stridedShrinkAxisMask
	stridedOffset
)

// A selection is what a slice takes of a dimension of in elements: count elements, from one on, by steps.
type selection struct{ in, from, step, count int64 }

// whole reports whether a selection takes all elements in order.
func (s selection) whole() bool {
	return s.from == 0 && s.count == s.in && (s.step == 1 || s.count == 1)
}

// slicesPlainly slices fewer dimensions, all of which are specified, without masks.
var slicesPlainly = Rule{
	Name: "plain-slice", Purpose: Repairs, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorSLICE, schema.BuiltinOperatorSTRIDED_SLICE},
	Condition: "constant begin, end or size, and strides",
	Result:    "the same operator with fewer dimensions, each with a begin and an end and without a mask, between RESHAPE",
	Reason:    "the same elements are taken in the same order",
	Exact:     everywhere,
	match: func(s *site) *change {
		in, out := s.in(0), s.out()
		list, ok := s.selections()
		if !ok {
			return nil
		}
		strided := s.code == schema.BuiltinOperatorSTRIDED_SLICE
		list = joined(list, strided)
		var from, to []int32
		for _, l := range list {
			from, to = append(from, int32(l.in)), append(to, int32(l.count))
		}
		if !becomes(out, to) {
			return nil
		}
		c := s.change()
		if !slices.ContainsFunc(list, func(l selection) bool { return !l.whole() }) {
			if in.Constant {
				return nil
			}
			c.reshapeTo(in.Index, out.Index, out.Shape...)
			return c
		}
		inputs, options := []int{c.shaped(in, from...)}, []edit.Option(nil)
		if strided {
			parameters, mask := c.strides(list)
			inputs = append(inputs, parameters...)
			options = []edit.Option{
				{Field: stridedBeginMask},
				{Field: stridedEndMask, Value: mask},
				{Field: stridedEllipsisMask},
				{Field: stridedNewAxisMask},
				{Field: stridedShrinkAxisMask},
				{Field: stridedOffset},
			}
		} else {
			var begin, size []int64
			for _, l := range list {
				begin, size = append(begin, l.from), append(size, l.count)
			}
			inputs = append(inputs, c.ints(begin...), c.ints(size...))
		}
		c.into(out, to, func(y int) { c.again(inputs, y, options...) })
		return c
	},
}

// selections returns what a slice with constant parameters takes of each dimension of its input.
func (s *site) selections() (list []selection, ok bool) {
	for i := 1; i < len(s.op.Inputs); i++ {
		if _, ok := s.ints(i); !ok {
			return nil, false
		}
	}
	in, out := s.in(0), s.out()
	regions := op.Regions(s.m, s.sub, s.op, 0)
	if !static(in, out) || len(in.Shape) == 0 || len(regions) == 0 || len(regions[0]) != len(in.Shape) {
		return nil, false
	}
	for i, a := range regions[0] {
		l := selection{in: int64(in.Shape[i]), from: -a.Before, step: a.Stride, count: 1}
		if a.Of >= len(out.Shape) || a.Scale != 1 || a.Reach != 0 {
			return nil, false
		}
		if a.Of >= 0 {
			l.count = int64(out.Shape[a.Of])
		}
		if l.count == 1 {
			l.step = 1
		}
		if last := l.from + (l.count-1)*l.step; l.from < 0 || l.from >= l.in || last < 0 || last >= l.in || l.step == 0 {
			return nil, false
		}
		list = append(list, l)
	}
	n := int64(1)
	for _, l := range list {
		n *= l.count
	}
	return list, n == elements(out.Shape)
}

// joined returns selections of fewer dimensions that take the same elements. Strided ones may have steps.
func joined(list []selection, strided bool) (fewer []selection) {
	for _, b := range list {
		if len(fewer) == 0 {
			fewer = append(fewer, b)
			continue
		}
		a := &fewer[len(fewer)-1]
		switch {
		case a.count == 1: // the elements of b, in one place of a
			*a = selection{in: a.in * b.in, from: a.from*b.in + b.from, step: b.step, count: b.count}
		case b.whole() && a.step == 1:
			*a = selection{in: a.in * b.in, from: a.from * b.in, step: 1, count: a.count * b.in}
		case b.count == 1 && (strided || b.in == 1):
			*a = selection{in: a.in * b.in, from: a.from*b.in + b.from, step: a.step * b.in, count: a.count}
		default:
			fewer = append(fewer, b)
		}
	}
	return fewer
}

// strides adds begin, end and strides, and returns them with the end_mask.
func (c *change) strides(list []selection) (parameters []int, mask int64) {
	var begin, end, step []int64
	for i, l := range list {
		last := l.from + (l.count-1)*l.step
		stop := last + 1
		if l.step < 0 {
			stop = last - 1
			if stop < 0 { // would count from the end
				stop, mask = 0, mask|1<<i
			}
		}
		begin, end, step = append(begin, l.from), append(end, stop), append(step, l.step)
	}
	return []int{c.ints(begin...), c.ints(end...), c.ints(step...)}, mask
}
