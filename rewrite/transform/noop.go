package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

// These rules remove operators whose output is bit-identical to their first input.
var (
	padNothing = noop("pad-nothing", "all paddings are 0", samePlace(func(s *site) bool {
		pads, ok := op.Paddings(s.m, s.sub, s.op)
		return ok && len(pads) > 0 && !slices.ContainsFunc(pads, func(p [2]int64) bool { return p != [2]int64{} })
	}), schema.BuiltinOperatorPAD, schema.BuiltinOperatorPADV2)

	resizeToSame = noop("resize-to-same", "a constant size, which is that of the input", fixedPlace(func(s *site) bool {
		size, ok := s.ints(1)
		return ok && len(size) == 2
	}), schema.BuiltinOperatorRESIZE_NEAREST_NEIGHBOR, schema.BuiltinOperatorRESIZE_BILINEAR)

	sliceWhole = noop("slice-whole", "it selects all elements, in order", fixedPlace(func(s *site) bool {
		list, ok := s.selections()
		return ok && !slices.ContainsFunc(list, func(l selection) bool { return !l.whole() })
	}), schema.BuiltinOperatorSLICE, schema.BuiltinOperatorSTRIDED_SLICE)

	reshapeToSame = noop("reshape-to-same", "the output has the shape of the input", samePlace(func(*site) bool { return true }),
		schema.BuiltinOperatorRESHAPE)

	reshapeAgain = noop("reshape-again", "its output is only reshaped again", func(s *site) bool {
		return s.readBy(s.out(), schema.BuiltinOperatorRESHAPE, nil)
	}, schema.BuiltinOperatorRESHAPE)

	flattenForFullyConnected = noop("flatten-for-fully-connected", "only FULLY_CONNECTED without keep_num_dims reads its output, as rows of the weights' depth", func(s *site) bool {
		return static(s.in(0), s.out()) && s.readAsRows(s.out())
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
