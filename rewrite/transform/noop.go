package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

// These rules remove operators whose output is bit-identical to their first input.
var (
	padsNothing = noop("pad-nothing", "all paddings are 0", samePlace(func(s *site) bool {
		pads, ok := op.Paddings(s.m, s.sub, s.op)
		return ok && len(pads) > 0 && !slices.ContainsFunc(pads, func(p [2]int64) bool { return p != [2]int64{} })
	}), schema.BuiltinOperatorPAD, schema.BuiltinOperatorPADV2)

	resizesToSame = noop("resize-to-same", "a constant size, which is that of the input", fixedPlace(func(s *site) bool {
		size, ok := s.ints(1)
		return ok && len(size) == 2
	}),
		schema.BuiltinOperatorRESIZE_NEAREST_NEIGHBOR, schema.BuiltinOperatorRESIZE_BILINEAR)

	slicesWhole = noop("slice-whole", "it selects all elements", fixedPlace(func(s *site) bool {
		begin, ok := s.ints(1)
		return ok && !slices.ContainsFunc(begin, func(at int64) bool { return at != 0 })
	}), schema.BuiltinOperatorSLICE)

	slicesStridedWhole = noop("strided-slice-whole", "it selects all elements, with strides of 1", fixedPlace(func(s *site) bool {
		strides, ok := s.ints(3)
		var options schema.StridedSliceOptions
		return ok && len(strides) == len(s.in(0).Shape) && !slices.ContainsFunc(strides, func(by int64) bool { return by != 1 }) &&
			s.op.Options(schema.BuiltinOptionsStridedSliceOptions, &options) &&
			options.EllipsisMask() == 0 && options.NewAxisMask() == 0 && options.ShrinkAxisMask() == 0
	}), schema.BuiltinOperatorSTRIDED_SLICE)

	reshapesToSame = noop("reshape-to-same", "the output has the shape of the input", samePlace(func(*site) bool { return true }),
		schema.BuiltinOperatorRESHAPE)

	reshapedAgain = noop("reshape-again", "its output is only reshaped again", func(s *site) bool {
		out := s.out()
		return len(out.Consumers) > 0 && !slices.ContainsFunc(out.Consumers, func(i int) bool {
			o := &s.sub.Operators[i]
			return s.m.OperatorCodes[o.Code].Builtin != schema.BuiltinOperatorRESHAPE || o.Inputs[0] != out.Index || slices.Contains(o.Inputs[1:], out.Index)
		})
	}, schema.BuiltinOperatorRESHAPE)
)

// noop returns a rule that removes an operator under a condition.
func noop(name, condition string, idle func(s *site) bool, operators ...schema.BuiltinOperator) Rule {
	return Rule{
		Name: name, Purpose: Work, Operators: operators, Condition: condition, Result: "removed; its readers read its input",
		Reason: "the output has the bytes of the input", Exact: everywhere,
		match: func(s *site) *change {
			in, out := s.in(0), s.out()
			if in == nil || out == nil || !s.replaceable(out, in) || !idle(s) {
				return nil
			}
			c := s.change()
			c.instead[out.Index] = in.Index
			return c
		},
	}
}

// samePlace requires that input and output have the same shape.
func samePlace(idle func(s *site) bool) func(s *site) bool {
	return func(s *site) bool { return slices.Equal(s.in(0).Shape, s.out().Shape) && idle(s) }
}

// fixedPlace is [samePlace] for operators that do something else if LiteRT resizes an open dimension.
func fixedPlace(idle func(s *site) bool) func(s *site) bool {
	return samePlace(func(s *site) bool { return !s.in(0).Dynamic() && !s.out().Dynamic() && idle(s) })
}
