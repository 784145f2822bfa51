package transform

import (
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// compareInt32 compares INT16 as INT32.
var compareInt32 = Rule{
	Name: "compare-int32", Purpose: Repairs,
	Operators: []schema.BuiltinOperator{
		schema.BuiltinOperatorLESS, schema.BuiltinOperatorLESS_EQUAL, schema.BuiltinOperatorGREATER, schema.BuiltinOperatorGREATER_EQUAL,
	},
	Condition: "INT16", Result: "the same operator on both inputs after CAST to INT32",
	Reason: "LiteRT compares the stored numbers, whatever their quantisation", Exact: everywhere,
	match: func(s *site) *change {
		a, b, out := s.in(0), s.in(1), s.out()
		if !static(a, b, out) || a.Type != schema.TensorTypeINT16 || b.Type != a.Type || out.Type != schema.TensorTypeBOOL {
			return nil
		}
		c := s.change()
		x, y := c.cast(a, schema.TensorTypeINT32), c.cast(b, schema.TensorTypeINT32)
		c.again([]int{x, y}, out.Index)
		return c
	},
}

// cast adds a CAST of a tensor to a type.
func (c *change) cast(t *tflite.Tensor, kind schema.TensorType) int {
	to := c.tensor(edit.Tensor{Name: c.name(t), Like: -1, Type: kind, Shape: t.Shape})
	c.castTo(t.Index, t.Type, to, kind)
	return to
}

// castTo adds a CAST.
func (c *change) castTo(from int, kind schema.TensorType, to int, as schema.TensorType) {
	c.add(schema.BuiltinOperatorCAST, []int{from}, to, edit.Option{Field: 0, Value: int64(kind)}, edit.Option{Field: 1, Value: int64(as)})
}
