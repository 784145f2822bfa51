package transform

import (
	"testing"

	"github.com/tflarena/tflarena/schema"
)

func TestInt32Parameters(t *testing.T) {
	checkRule(t, &int32Parameters,
		example{"INT64", oneOperator(t, schema.BuiltinOperatorPAD, options{}, tensor(f32, 5), tensor(f32, 3), numbers(i64, 0, 2).shaped(1, 2)), "PAD FLOAT32[3] (0 2) > FLOAT32[5]"},
		example{"INT16", oneOperator(t, schema.BuiltinOperatorTRANSPOSE, options{}, tensor(f32, 2, 3), tensor(f32, 3, 2), numbers(i16, 1, 0)), "TRANSPOSE FLOAT32[3 2] (1 0) > FLOAT32[2 3]"},
		example{"a scalar", oneOperator(t, schema.BuiltinOperatorEXPAND_DIMS, options{}, tensor(f32, 1, 3), tensor(f32, 3), numbers(i64, 0).shaped()), "EXPAND_DIMS FLOAT32[3] (0) > FLOAT32[1 3]"},
		example{"too large", oneOperator(t, schema.BuiltinOperatorPAD, options{}, tensor(f32, 5), tensor(f32, 3), numbers(i64, 0, int64(1<<40)).shaped(1, 2)), ""},
		example{"INT32", oneOperator(t, schema.BuiltinOperatorPAD, options{}, tensor(f32, 5), tensor(f32, 3), numbers(i32, 0, 2).shaped(1, 2)), ""},
	)
}
