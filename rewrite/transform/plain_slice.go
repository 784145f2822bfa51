package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
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

// plainSlice slices fewer dimensions, all of which are specified, without masks.
var plainSlice = Rule{
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
			var parameters []int
			parameters, options = c.strides(list)
			inputs = append(inputs, parameters...)
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

// strides adds begin, end and strides of a STRIDED_SLICE, and returns them with its options.
func (c *change) strides(list []selection) (parameters []int, options []edit.Option) {
	mask := int64(0)
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
	return []int{c.ints(begin...), c.ints(end...), c.ints(step...)}, []edit.Option{
		{Field: stridedBeginMask},
		{Field: stridedEndMask, Value: mask},
		{Field: stridedEllipsisMask},
		{Field: stridedNewAxisMask},
		{Field: stridedShrinkAxisMask},
		{Field: stridedOffset},
	}
}
