package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
)

// mergeMean reduces fewer dimensions, by RESHAPE before and after.
var mergeMean = Rule{
	Name: "merge-mean", Purpose: Repairs, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorMEAN},
	Condition: "constant axes, and neighbouring dimensions that are all reduced or all kept",
	Result:    "MEAN of fewer dimensions between RESHAPE",
	Reason:    "the same elements are added in the same order",
	Exact:     unoptimised,
	match: func(s *site) *change {
		axes, ok := s.ints(1)
		in, out := s.in(0), s.out()
		if !ok || !static(in, out) || len(in.Shape) == 0 {
			return nil
		}
		rank := len(in.Shape)
		reduced := make([]bool, rank)
		for _, a := range axes {
			if a < 0 {
				a += int64(rank)
			}
			if a < 0 || a >= int64(rank) {
				return nil
			}
			reduced[a] = true
		}
		list := runs(rank, func(i int) bool { return in.Shape[i] == 1 }, func(a, b int) bool { return reduced[a] == reduced[b] })
		var over []int64
		var rest []int32
		for i, d := range merged(in.Shape, list) {
			at := slices.IndexFunc(in.Shape[list[i].from:list[i].to], func(d int32) bool { return d > 1 })
			if at >= 0 && reduced[list[i].from+at] {
				over = append(over, int64(i))
			} else {
				rest = append(rest, d)
			}
		}
		if len(over) == 0 || len(list) == rank || !becomes(out, rest) || elements(rest) != elements(out.Shape) {
			return nil
		}
		c := s.change()
		x := c.shaped(in, merged(in.Shape, list)...)
		c.into(out, rest, func(y int) {
			c.again([]int{x, c.ints(over...)}, y, edit.Option{Field: reducerKeepDims, Value: 0})
		})
		return c
	},
}
