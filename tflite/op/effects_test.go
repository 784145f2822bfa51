package op

import (
	"testing"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Operators that must be known to have effects, and some that look like it.
func TestHasEffects(t *testing.T) {
	for code, want := range map[schema.BuiltinOperator]bool{
		schema.BuiltinOperatorCUSTOM: true, schema.BuiltinOperatorDELEGATE: true, schema.BuiltinOperatorSTABLEHLO_CUSTOM_CALL: true,
		schema.BuiltinOperatorIF: true, schema.BuiltinOperatorWHILE: true, schema.BuiltinOperatorSTABLEHLO_WHILE: true,
		schema.BuiltinOperatorASSIGN_VARIABLE: true, schema.BuiltinOperatorHASHTABLE_FIND: true,
		schema.BuiltinOperatorRANDOM_UNIFORM: true, schema.BuiltinOperatorSTABLEHLO_RNG_BIT_GENERATOR: true,
		schema.BuiltinOperatorADD: false, schema.BuiltinOperatorCONV_2D: false,
		// It reads keys and values from tensors, and nothing else.
		schema.BuiltinOperatorHASHTABLE_LOOKUP: false,
	} {
		m := &tflite.Model{OperatorCodes: []tflite.OperatorCode{{Builtin: code}}}
		if got := HasEffects(m, &tflite.Operator{}); got != want {
			t.Errorf("%v: %v, want %v", code, got, want)
		}
	}
	m := &tflite.Model{OperatorCodes: []tflite.OperatorCode{{Builtin: schema.BuiltinOperatorADD}, {Builtin: schema.BuiltinOperatorCUSTOM, Custom: "SignalFilterBank"}}}
	if !HasEffects(m, &tflite.Operator{Subgraphs: []int{1}}) || !HasEffects(m, &tflite.Operator{Code: 1}) {
		t.Error("what runs a subgraph, and what is custom, may have effects")
	}
}
