package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
)

// transposeNothing removes a TRANSPOSE that only moves dimensions of one element.
var transposeNothing = noop("transpose-nothing", "the permutation keeps the order of all dimensions with more than one element", func(s *site) bool {
	in, out := s.in(0), s.out()
	moves, ok := s.moves()
	return ok && len(moves) <= 1 && slices.Equal(in.Shape, out.Shape) && !in.Dynamic() && !out.Dynamic() // readers see the same shape
}, schema.BuiltinOperatorTRANSPOSE)

// mergeTranspose transposes fewer dimensions, by RESHAPE before and after.
var mergeTranspose = Rule{
	Name: "merge-transpose", Purpose: Repairs, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorTRANSPOSE},
	Condition: "some dimensions have one element or stay next to one another, or count from the last",
	Result:    "TRANSPOSE of fewer dimensions between RESHAPE, or RESHAPE alone",
	Reason:    "dimensions that stay next to one another move like one",
	Exact:     everywhere,
	match: func(s *site) *change {
		in, out := s.in(0), s.out()
		moves, ok := s.moves()
		if !ok || !becomes(out, in.Shape) || in.Constant {
			return nil
		}
		c := s.change()
		if len(moves) <= 1 {
			c.reshapeTo(in.Index, out.Index, out.Shape...)
			return c
		}
		if permutation, _ := s.ints(1); len(moves) == len(in.Shape) && slices.Min(permutation) >= 0 {
			return nil
		}
		// The runs in the order of the output; each has its rank in the order of the input.
		var from, to []int32
		var permutation []int64
		order := slices.Clone(moves)
		slices.SortStableFunc(order, func(a, b run) int { return a.from - b.from })
		for _, r := range order {
			from = append(from, int32(elements(in.Shape[r.from:r.to])))
		}
		for _, r := range moves {
			at := slices.Index(order, r)
			to, permutation = append(to, from[at]), append(permutation, int64(at))
		}
		x := c.shaped(in, from...)
		c.into(out, to, func(y int) { c.again([]int{x, c.ints(permutation...)}, y) })
		return c
	},
}

// moves returns the runs of dimensions that a TRANSPOSE moves together, in the order of its output. Dimensions
// of one element are in none, unless they lie in a run.
func (s *site) moves() (list []run, ok bool) {
	permutation, ok := s.ints(1)
	in, out := s.in(0), s.out()
	if !ok || !static(in, out) || len(permutation) != len(in.Shape) || len(out.Shape) != len(in.Shape) {
		return nil, false
	}
	seen := make([]bool, len(in.Shape))
	for i, d := range permutation {
		if d < 0 {
			d += int64(len(in.Shape))
		}
		if d < 0 || d >= int64(len(in.Shape)) || seen[d] || out.Shape[i] != in.Shape[d] {
			return nil, false
		}
		seen[d] = true
		if in.Shape[d] == 1 {
			continue
		}
		if n := len(list); n > 0 && list[n-1].to <= int(d) && elements(in.Shape[list[n-1].to:d]) == 1 {
			list[n-1].to = int(d) + 1
			continue
		}
		list = append(list, run{int(d), int(d) + 1})
	}
	return list, true
}
