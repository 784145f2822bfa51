package transform

import (
	"encoding/binary"
	"math"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
)

// softmaxOfOne replaces a SOFTMAX of single INT16 elements, which is 1, by the largest number.
var softmaxOfOne = Rule{
	Name: "softmax-of-one", Purpose: Repairs, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorSOFTMAX},
	Condition: "INT16, rows of one element", Result: "MAXIMUM with the largest number",
	Reason: "the softmax of one element is 1, which is stored as 32767", Exact: everywhere,
	match: func(s *site) *change {
		in, out := s.in(0), s.out()
		if !static(in, out) || len(in.Shape) == 0 || in.Shape[len(in.Shape)-1] != 1 || in.Type != schema.TensorTypeINT16 || out.Type != in.Type {
			return nil
		}
		q := quantisationOf(out)
		if scale, zero, ok := q.perTensor(); !ok || scale != 1.0/32768 || zero != 0 {
			return nil
		}
		c := s.change()
		limit := c.tensor(edit.Tensor{
			Name: c.name(out), Like: out.Index, Shape: []int32{1}, Data: binary.LittleEndian.AppendUint16(nil, math.MaxInt16),
		})
		c.add(schema.BuiltinOperatorMAXIMUM, []int{in.Index, limit}, out.Index)
		return c
	},
}
