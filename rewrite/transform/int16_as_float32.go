package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
)

// int16AsFloat32 moves numbers of INT16 as FLOAT32.
var int16AsFloat32 = Rule{
	Name: "int16-as-float32", Purpose: Repairs,
	Operators: []schema.BuiltinOperator{
		schema.BuiltinOperatorGATHER, schema.BuiltinOperatorGATHER_ND, schema.BuiltinOperatorMIRROR_PAD, schema.BuiltinOperatorREDUCE_MAX,
		schema.BuiltinOperatorREDUCE_MIN, schema.BuiltinOperatorSPACE_TO_BATCH_ND, schema.BuiltinOperatorBATCH_TO_SPACE_ND,
		schema.BuiltinOperatorRESIZE_NEAREST_NEIGHBOR,
	},
	Condition: "INT16, quantised alike with a zero point of 0", Result: "the same operator between CAST to FLOAT32 and back",
	Reason: "FLOAT32 holds each number of INT16, and the operator only moves numbers", Exact: everywhere,
	match: func(s *site) *change {
		in, out := s.in(0), s.out()
		if !static(in, out) || in.Type != schema.TensorTypeINT16 || out.Type != in.Type || !sameQuantisation(in, out) {
			return nil
		}
		if q := quantisationOf(in); !q.symmetric() {
			return nil
		}
		c := s.change()
		inputs := slices.Clone(s.op.Inputs)
		inputs[0] = c.cast(in, schema.TensorTypeFLOAT32)
		moved := c.tensor(edit.Tensor{Name: c.name(out), Like: -1, Type: schema.TensorTypeFLOAT32, Shape: out.Shape})
		c.again(inputs, moved)
		c.castTo(moved, schema.TensorTypeFLOAT32, out.Index, out.Type)
		return c
	},
}
