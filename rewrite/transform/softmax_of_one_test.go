package transform

import (
	"testing"

	"github.com/tflarena/tflarena/schema"
)

func TestSoftmaxOfOne(t *testing.T) {
	one := func(shape ...int32) operand { return tensor(i16, shape...).scaled(1.0 / 32768) }
	checkRule(t, &softmaxOfOne,
		example{"one", oneOperator(t, schema.BuiltinOperatorSOFTMAX, options{}, one(2, 1), tensor(i16, 2, 1)), "MAXIMUM INT16[2 1] INT16[1] > INT16[2 1]"},
		example{"two", oneOperator(t, schema.BuiltinOperatorSOFTMAX, options{}, one(1, 2), tensor(i16, 1, 2)), ""},
		example{"another scale", oneOperator(t, schema.BuiltinOperatorSOFTMAX, options{}, tensor(i16, 2, 1), tensor(i16, 2, 1)), ""},
	)
}
