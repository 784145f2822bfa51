package transform

import (
	"testing"

	"github.com/tflarena/tflarena/schema"
)

func TestInt16AsFloat32(t *testing.T) {
	o := optionsOf(schema.BuiltinOptionsGatherOptions, schema.GatherOptionsStart, schema.GatherOptionsEnd)
	checkRule(t, &int16AsFloat32,
		example{"INT16", oneOperator(t, schema.BuiltinOperatorGATHER, o, tensor(i16, 2), tensor(i16, 3), tensor(i32, 2)), lines(
			"CAST INT16[3] > FLOAT32[3]",
			"GATHER FLOAT32[3] INT32[2] > FLOAT32[2]",
			"CAST FLOAT32[2] > INT16[2]",
		)},
		example{"another scale", oneOperator(t, schema.BuiltinOperatorGATHER, o, tensor(i16, 2).scaled(2), tensor(i16, 3), tensor(i32, 2)), ""},
		example{"INT8", oneOperator(t, schema.BuiltinOperatorGATHER, o, tensor(i8, 2), tensor(i8, 3), tensor(i32, 2)), ""},
	)
}
