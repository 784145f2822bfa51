package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
)

// mergeBroadcast computes an operator that broadcasts its inputs with fewer dimensions, by RESHAPE before and
// after.
var mergeBroadcast = Rule{
	Name: "merge-broadcast", Purpose: Repairs,
	Operators: []schema.BuiltinOperator{
		schema.BuiltinOperatorMAXIMUM, schema.BuiltinOperatorMINIMUM, schema.BuiltinOperatorPRELU, schema.BuiltinOperatorSELECT_V2,
	},
	Condition: "neighbouring dimensions along which the same inputs are broadcast",
	Result:    "the same operator with fewer dimensions between RESHAPE",
	Reason:    "the same elements meet",
	Exact:     everywhere,
	match: func(s *site) *change {
		out := s.out()
		if !static(out) {
			return nil
		}
		var shapes [][]int32
		for i := range s.op.Inputs {
			if !static(s.in(i)) || len(s.in(i).Shape) > len(out.Shape) {
				return nil
			}
			shapes = append(shapes, ranked(s.in(i).Shape, len(out.Shape)))
		}
		list := spread(out.Shape, shapes...)
		if !broadcast(out.Shape, shapes...) || len(list) == len(out.Shape) {
			return nil
		}
		c := s.change()
		var inputs []int
		for i, shape := range shapes {
			inputs = append(inputs, c.shaped(s.in(i), merged(shape, list)...))
		}
		c.into(out, merged(out.Shape, list), func(output int) { c.again(inputs, output) })
		return c
	},
}

// mergeBroadcastTo broadcasts a tensor with fewer dimensions, by RESHAPE before and after.
var mergeBroadcastTo = Rule{
	Name: "merge-broadcast-to", Purpose: Repairs, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorBROADCAST_TO},
	Condition: "neighbouring dimensions that are all broadcast or all not",
	Result:    "BROADCAST_TO with fewer dimensions between RESHAPE",
	Reason:    "the same elements are copied",
	Exact:     everywhere,
	match: func(s *site) *change {
		in, out := s.in(0), s.out()
		shape, ok := s.ints(1)
		if !ok || !static(in, out) || len(in.Shape) > len(out.Shape) || !slices.Equal(shape, widened(out.Shape)) {
			return nil
		}
		x := ranked(in.Shape, len(out.Shape))
		list := spread(out.Shape, x)
		if !broadcast(out.Shape, x) || len(list) == len(out.Shape) {
			return nil
		}
		c := s.change()
		to := merged(out.Shape, list)
		inputs := []int{c.shaped(in, merged(x, list)...), c.ints(widened(to)...)}
		c.into(out, to, func(output int) { c.again(inputs, output) })
		return c
	},
}

// widened returns the dimensions of a shape as numbers.
func widened(shape []int32) (list []int64) {
	for _, d := range shape {
		list = append(list, int64(d))
	}
	return list
}

// mergeBatchMatmul multiplies matrices with fewer dimensions of batches, by RESHAPE before and after.
var mergeBatchMatmul = Rule{
	Name: "merge-batch-matmul", Purpose: Repairs, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorBATCH_MATMUL},
	Condition: "neighbouring dimensions of batches along which the same inputs are broadcast",
	Result:    "BATCH_MATMUL with fewer dimensions between RESHAPE",
	Reason:    "the same matrices are multiplied",
	Exact:     everywhere,
	match: func(s *site) *change {
		a, b, out := s.in(0), s.in(1), s.out()
		if !static(a, b, out) || min(len(a.Shape), len(b.Shape)) < 2 || max(len(a.Shape), len(b.Shape)) != len(out.Shape) {
			return nil
		}
		rank := len(out.Shape) - 2
		x, y := ranked(a.Shape, rank+2), ranked(b.Shape, rank+2)
		list := spread(out.Shape[:rank], x[:rank], y[:rank])
		if !broadcast(out.Shape[:rank], x[:rank], y[:rank]) || len(list) == rank {
			return nil
		}
		to := func(shape []int32) []int32 { return append(merged(shape[:rank], list), shape[rank:]...) }
		c := s.change()
		inputs := []int{c.shaped(a, to(x)...), c.shaped(b, to(y)...)}
		c.into(out, to(out.Shape), func(output int) { c.again(inputs, output) })
		return c
	},
}
