package transform

import "github.com/tflarena/tflarena/schema"

// fullyConnectedRows gives FULLY_CONNECTED an output of two dimensions.
var fullyConnectedRows = Rule{
	Name: "fully-connected-rows", Purpose: Repairs, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorFULLY_CONNECTED},
	Condition: "an output without two dimensions", Result: "FULLY_CONNECTED with an output [rows, channels], and RESHAPE",
	Reason: "each row is multiplied by itself", Exact: everywhere,
	match: func(s *site) *change {
		f, ok := s.fullyConnected()
		if !ok || len(f.out.Shape) == 2 {
			return nil
		}
		c := s.change()
		c.into(f.out, []int32{f.rows, f.units}, func(y int) { c.again(s.op.Inputs, y, f.asRows()...) })
		return c
	},
}
