package transform

import (
	"testing"

	"github.com/tflarena/tflarena/schema"
)

func TestReluBeforeRELU6(t *testing.T) {
	checkRule(t, &reluBeforeRELU6,
		example{"other scales", oneOperator(t, schema.BuiltinOperatorRELU6, options{}, tensor(i8, 3).scaled(0.5), tensor(i8, 3)), lines(
			"RELU INT8[3] > INT8[3]",
			"RELU6 INT8[3] > INT8[3]",
		)},
		example{"the same scale", oneOperator(t, schema.BuiltinOperatorRELU6, options{}, tensor(i8, 3), tensor(i8, 3)), ""},
	)
}
