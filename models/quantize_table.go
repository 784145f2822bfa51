package models

import "github.com/tflarena/tflarena/schema"

// keepsScale maps the operators that move values without changing them to the position of the
// data input.
var keepsScale = map[schema.BuiltinOperator]int{
	schema.BuiltinOperatorAVERAGE_POOL_2D: 0,
	schema.BuiltinOperatorGATHER:          0,
	schema.BuiltinOperatorMAX_POOL_2D:     0,
	schema.BuiltinOperatorPAD:             0,
	schema.BuiltinOperatorRESHAPE:         0,
	schema.BuiltinOperatorRESIZE_BILINEAR: 0,
	schema.BuiltinOperatorSPLIT:           1,
	schema.BuiltinOperatorSQUEEZE:         0,
	schema.BuiltinOperatorSTRIDED_SLICE:   0,
	schema.BuiltinOperatorTRANSPOSE:       0,
	schema.BuiltinOperatorUNPACK:          0,
}

// int8Versions holds the versions of operators that introduced int8, if not version 1.
var int8Versions = map[schema.BuiltinOperator]int32{
	schema.BuiltinOperatorADD:                2,
	schema.BuiltinOperatorARG_MAX:            2,
	schema.BuiltinOperatorAVERAGE_POOL_2D:    2,
	schema.BuiltinOperatorBATCH_MATMUL:       2,
	schema.BuiltinOperatorCONCATENATION:      2,
	schema.BuiltinOperatorCONV_2D:            3,
	schema.BuiltinOperatorDEPTHWISE_CONV_2D:  3,
	schema.BuiltinOperatorFULLY_CONNECTED:    4,
	schema.BuiltinOperatorGATHER:             2,
	schema.BuiltinOperatorGELU:               2,
	schema.BuiltinOperatorLOGISTIC:           2,
	schema.BuiltinOperatorMAX_POOL_2D:        2,
	schema.BuiltinOperatorMEAN:               2,
	schema.BuiltinOperatorMINIMUM:            2,
	schema.BuiltinOperatorMUL:                2,
	schema.BuiltinOperatorPAD:                2,
	schema.BuiltinOperatorRELU:               2,
	schema.BuiltinOperatorRESIZE_BILINEAR:    2,
	schema.BuiltinOperatorRSQRT:              2,
	schema.BuiltinOperatorSOFTMAX:            2,
	schema.BuiltinOperatorSPLIT:              2,
	schema.BuiltinOperatorSQUARED_DIFFERENCE: 2,
	schema.BuiltinOperatorSTRIDED_SLICE:      2,
	schema.BuiltinOperatorSUB:                2,
	schema.BuiltinOperatorTANH:               2,
	schema.BuiltinOperatorTRANSPOSE:          2,
	schema.BuiltinOperatorUNPACK:             2,
}
