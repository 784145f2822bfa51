package transform

import "github.com/tflarena/tflarena/schema"

// transposesNothing removes a TRANSPOSE that only moves dimensions of one element.
var transposesNothing = noop("transpose-nothing", "the permutation keeps the order of all dimensions with more than one element", func(s *site) bool {
	permutation, ok := s.ints(1)
	in, out := s.in(0), s.out()
	if !ok || len(permutation) != len(in.Shape) || len(out.Shape) != len(in.Shape) {
		return false
	}
	last := int64(-1)
	for i, from := range permutation {
		if from < 0 || from >= int64(len(in.Shape)) || out.Shape[i] != in.Shape[from] {
			return false
		}
		if in.Shape[from] != 1 {
			if from < last {
				return false
			}
			last = from
		}
		if from != int64(i) && in.Shape[i] != out.Shape[i] {
			return false // readers would see another shape
		}
	}
	return true
}, schema.BuiltinOperatorTRANSPOSE)
