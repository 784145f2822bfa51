package transform

import (
	"testing"

	"github.com/tflarena/tflarena/schema"
)

func TestCompareInt32(t *testing.T) {
	boolean := tensor(schema.TensorTypeBOOL, 3)
	checkRule(t, &compareInt32,
		example{"INT16", oneOperator(t, schema.BuiltinOperatorGREATER, options{}, boolean, tensor(i16, 3), tensor(i16, 1)), lines(
			"CAST INT16[3] > INT32[3]",
			"CAST INT16[1] > INT32[1]",
			"GREATER INT32[3] INT32[1] > BOOL[3]",
		)},
		example{"INT8", oneOperator(t, schema.BuiltinOperatorGREATER, options{}, boolean, tensor(i8, 3), tensor(i8, 1)), ""},
	)
}
