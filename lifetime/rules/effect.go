package rules

import (
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// effect reports whether an operator may do more than make its outputs: control
// flow and whatever runs other subgraphs, resources, random numbers, and custom
// operators, of which nothing is known.
func (b *builder) effect(op *tflite.Operator) bool {
	code := b.model.OperatorCodes[op.Code]
	if code.Custom != "" || len(op.Subgraphs) > 0 {
		return true
	}
	switch code.Builtin {
	case schema.BuiltinOperatorCUSTOM, schema.BuiltinOperatorDELEGATE, schema.BuiltinOperatorSTABLEHLO_CUSTOM_CALL,
		schema.BuiltinOperatorIF, schema.BuiltinOperatorWHILE, schema.BuiltinOperatorSTABLEHLO_WHILE,
		schema.BuiltinOperatorSTABLEHLO_CASE, schema.BuiltinOperatorCALL, schema.BuiltinOperatorCALL_ONCE,
		schema.BuiltinOperatorVAR_HANDLE, schema.BuiltinOperatorREAD_VARIABLE, schema.BuiltinOperatorASSIGN_VARIABLE,
		schema.BuiltinOperatorHASHTABLE, schema.BuiltinOperatorHASHTABLE_FIND,
		schema.BuiltinOperatorHASHTABLE_IMPORT, schema.BuiltinOperatorHASHTABLE_LOOKUP,
		schema.BuiltinOperatorHASHTABLE_SIZE,
		schema.BuiltinOperatorRANDOM_UNIFORM, schema.BuiltinOperatorRANDOM_STANDARD_NORMAL,
		schema.BuiltinOperatorMULTINOMIAL, schema.BuiltinOperatorSTABLEHLO_RNG_BIT_GENERATOR:
		return true
	}
	return false
}
