package transform

import (
	"testing"

	"github.com/tflarena/tflarena/schema"
)

func TestRowsOfMatrix(t *testing.T) {
	checkRule(t, &rowsOfMatrix,
		example{"three dimensions", oneOperator(t, schema.BuiltinOperatorSOFTMAX, options{}, tensor(i8, 2, 3, 4), tensor(i8, 2, 3, 4)), lines(
			"RESHAPE INT8[2 3 4] > INT8[6 4]",
			"SOFTMAX INT8[6 4] > INT8[6 4]",
			"RESHAPE INT8[6 4] > INT8[2 3 4]",
		)},
		example{"one", oneOperator(t, schema.BuiltinOperatorL2_NORMALIZATION, options{}, tensor(i8, 7), tensor(i8, 7)), lines(
			"RESHAPE INT8[7] > INT8[1 7]",
			"L2_NORMALIZATION INT8[1 7] > INT8[1 7]",
			"RESHAPE INT8[1 7] > INT8[7]",
		)},
		example{"two", oneOperator(t, schema.BuiltinOperatorSOFTMAX, options{}, tensor(i8, 3, 4), tensor(i8, 3, 4)), ""},
	)
}
