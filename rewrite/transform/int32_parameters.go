package transform

import (
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
)

// parameters are the inputs with integers that kernels take as INT32, by operator.
var parameters = map[schema.BuiltinOperator][]int{
	schema.BuiltinOperatorARG_MAX: {1}, schema.BuiltinOperatorARG_MIN: {1}, schema.BuiltinOperatorBATCH_TO_SPACE_ND: {1, 2},
	schema.BuiltinOperatorBROADCAST_TO: {1}, schema.BuiltinOperatorCUMSUM: {1}, schema.BuiltinOperatorEXPAND_DIMS: {1},
	schema.BuiltinOperatorGATHER: {1}, schema.BuiltinOperatorGATHER_ND: {1}, schema.BuiltinOperatorMEAN: {1},
	schema.BuiltinOperatorMIRROR_PAD: {1}, schema.BuiltinOperatorPAD: {1}, schema.BuiltinOperatorPADV2: {1},
	schema.BuiltinOperatorREDUCE_MAX: {1}, schema.BuiltinOperatorREDUCE_MIN: {1}, schema.BuiltinOperatorREVERSE_V2: {1},
	schema.BuiltinOperatorSLICE: {1, 2}, schema.BuiltinOperatorSPACE_TO_BATCH_ND: {1, 2}, schema.BuiltinOperatorSPLIT: {0},
	schema.BuiltinOperatorSPLIT_V: {1, 2}, schema.BuiltinOperatorSTRIDED_SLICE: {1, 2, 3}, schema.BuiltinOperatorSUM: {1},
	schema.BuiltinOperatorTRANSPOSE: {1},
}

// int32Parameters gives an operator its constant parameters as INT32.
var int32Parameters = Rule{
	Name: "int32-parameters", Purpose: Repairs, Operators: parametrised(),
	Condition: "constant axes, indices, paddings or sizes of INT8, INT16 or INT64 that fit in 32 bits",
	Result:    "the same operator with INT32 constants", Reason: "the numbers are the same", Exact: everywhere,
	match: func(s *site) *change {
		c := s.change()
		inputs := slices.Clone(s.op.Inputs)
		for _, i := range parameters[s.code] {
			t := s.in(i)
			list, ok := s.ints(i)
			if !ok || t.Type == schema.TensorTypeINT32 {
				continue
			}
			if slices.ContainsFunc(list, func(n int64) bool { return n < math.MinInt32 || n > math.MaxInt32 }) {
				return nil
			}
			inputs[i] = c.numbers(t.Name+"/int32", t.Shape, list...)
		}
		if len(c.tensors) == 0 {
			return nil
		}
		c.operators = append(c.operators, edit.Operator{Kind: edit.Piece, Of: s.op.Index, Inputs: inputs, Outputs: s.op.Outputs})
		return c
	},
}

// parametrised returns the operators with parameters, in a fixed order.
func parametrised() (list []schema.BuiltinOperator) {
	for code := range parameters {
		list = append(list, code)
	}
	slices.Sort(list)
	return list
}
