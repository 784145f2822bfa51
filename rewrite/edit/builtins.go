package edit

import "github.com/tflarena/tflarena/schema"

// builtin describes an operator that an edit may add, or whose options it may change.
type builtin struct {
	options schema.BuiltinOptions
	// spec describes the fields of the options. padded reports that the first one is a padding.
	spec   tableSpec
	padded bool
	// added reports that an edit may add the operator. least and most are the numbers of its inputs.
	added       bool
	least, most int
	// The versions of an added operator whose first input has more dimensions than 4, INT16, INT8, BOOL or
	// another type, as LiteRT's converter writes them; 0 stands for 1.
	dims, int16, int8, bool, plain int32
}

// many is the largest number of inputs of an operator that takes any number.
const many = 1 << 20

// builtins are the known operators.
var builtins = map[schema.BuiltinOperator]builtin{
	schema.BuiltinOperatorADD:               {options: schema.BuiltinOptionsAddOptions, spec: "11"},
	schema.BuiltinOperatorAVERAGE_POOL_2D:   {options: schema.BuiltinOptionsPool2DOptions, spec: "144441", padded: true, added: true, least: 1, most: 1, int16: 3, int8: 2},
	schema.BuiltinOperatorCAST:              {options: schema.BuiltinOptionsCastOptions, spec: "11", added: true, least: 1, most: 1, int8: 3},
	schema.BuiltinOperatorCONCATENATION:     {options: schema.BuiltinOptionsConcatenationOptions, spec: "41", added: true, least: 1, most: many, dims: 1, int16: 3, int8: 2},
	schema.BuiltinOperatorCONV_2D:           {options: schema.BuiltinOptionsConv2DOptions, spec: "1441441", padded: true, added: true, least: 2, most: 3, int16: 4, int8: 3},
	schema.BuiltinOperatorDEPTHWISE_CONV_2D: {options: schema.BuiltinOptionsDepthwiseConv2DOptions, spec: "1444144", padded: true, added: true, least: 2, most: 3, int16: 5, int8: 3, plain: 2},
	schema.BuiltinOperatorFULLY_CONNECTED:   {options: schema.BuiltinOptionsFullyConnectedOptions, spec: "11111", added: true, least: 2, most: 3, dims: 5, int16: 7, int8: 5, plain: 5},
	schema.BuiltinOperatorL2_POOL_2D:        {options: schema.BuiltinOptionsPool2DOptions, spec: "144441", padded: true},
	schema.BuiltinOperatorMAXIMUM:           {options: schema.BuiltinOptionsMaximumMinimumOptions, added: true, least: 2, most: 2, dims: 3, int16: 4, int8: 2},
	schema.BuiltinOperatorMAX_POOL_2D:       {options: schema.BuiltinOptionsPool2DOptions, spec: "144441", padded: true},
	schema.BuiltinOperatorMEAN:              {options: schema.BuiltinOptionsReducerOptions, spec: "1", added: true, least: 2, most: 2, int16: 3, int8: 2},
	schema.BuiltinOperatorMINIMUM:           {options: schema.BuiltinOptionsMaximumMinimumOptions, added: true, least: 2, most: 2, dims: 3, int16: 4, int8: 2},
	schema.BuiltinOperatorPAD:               {options: schema.BuiltinOptionsPadOptions, added: true, least: 2, most: 2, dims: 4, int16: 3, int8: 2},
	schema.BuiltinOperatorPADV2:             {options: schema.BuiltinOptionsPadV2Options},
	schema.BuiltinOperatorQUANTIZE:          {options: schema.BuiltinOptionsQuantizeOptions, added: true, least: 1, most: 1, int16: 3, int8: 2},
	schema.BuiltinOperatorRELU:              {added: true, least: 1, most: 1, int16: 3, int8: 2},
	schema.BuiltinOperatorRELU6:             {added: true, least: 1, most: 1, int16: 3, int8: 2},
	schema.BuiltinOperatorRESHAPE:           {options: schema.BuiltinOptionsReshapeOptions, added: true, least: 1, most: 1},
	schema.BuiltinOperatorSLICE:             {options: schema.BuiltinOptionsSliceOptions, added: true, least: 3, most: 3, dims: 5, int16: 4, int8: 2},
	schema.BuiltinOperatorSPLIT:             {options: schema.BuiltinOptionsSplitOptions, spec: "4", added: true, least: 2, most: 2, int16: 4, int8: 2},
	schema.BuiltinOperatorSTRIDED_SLICE:     {options: schema.BuiltinOptionsStridedSliceOptions, spec: "444441", added: true, least: 4, most: 4, dims: 4, int8: 2, bool: 3},
	schema.BuiltinOperatorSUB:               {options: schema.BuiltinOptionsSubOptions, spec: "11"},
	schema.BuiltinOperatorTRANSPOSE:         {options: schema.BuiltinOptionsTransposeOptions, added: true, least: 2, most: 2, dims: 4, int16: 5, int8: 2, bool: 3},
	schema.BuiltinOperatorTRANSPOSE_CONV:    {options: schema.BuiltinOptionsTransposeConvOptions, spec: "14411"},
}

// CanAdd reports whether an edit may add an operator.
func CanAdd(code schema.BuiltinOperator) bool { return builtins[code].added }

// bare are the operators whose options have no fields.
var bare = map[schema.BuiltinOperator]bool{schema.BuiltinOperatorPAD: true, schema.BuiltinOperatorPADV2: true}
