package transform

import (
	"testing"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

func TestPadSpaceToBatch(t *testing.T) {
	blocks := func(paddings ...int) *tflite.Model {
		out := tensor(i8, 4, int32(4+paddings[0]+paddings[1])/2, int32(4+paddings[2]+paddings[3])/2, 3)
		return oneOperator(t, schema.BuiltinOperatorSPACE_TO_BATCH_ND, options{}, out, tensor(i8, 1, 4, 4, 3), numbers(i32, 2, 2), numbers(i32, paddings...).shaped(2, 2))
	}
	checkRule(t, &padSpaceToBatch, example{"padding", blocks(1, 1, 0, 2), lines(
		"PAD INT8[1 4 4 3] (0 0 1 1 0 2 0 0) > INT8[1 6 6 3]",
		"SPACE_TO_BATCH_ND INT8[1 6 6 3] (2 2) (0 0 0 0) > INT8[4 3 3 3]",
	)}, example{"none", blocks(0, 0, 0, 0), ""})
}
