package faults

import (
	"github.com/tflarena/tflarena/lifetime/rules/internal/kernels"
	"github.com/tflarena/tflarena/schema"
)

// Short names of the element types, for the table below.
const (
	f32     = schema.TensorTypeFLOAT32
	i4      = schema.TensorTypeINT4
	i8      = schema.TensorTypeINT8
	u8      = schema.TensorTypeUINT8
	i16     = schema.TensorTypeINT16
	i32     = schema.TensorTypeINT32
	u32     = schema.TensorTypeUINT32
	i64     = schema.TensorTypeINT64
	u64     = schema.TensorTypeUINT64
	boolean = schema.TensorTypeBOOL
)

// pair is a pair of types.
type pair = [2]schema.TensorType

// Laws that several kernels share.
var (
	unary   = laws(counts(1, 1, 1), has(in(0), out(0)))
	lenient = laws(has(in(0), out(0))) // further inputs are ignored
	twoIn   = laws(has(in(0), in(1), out(0)))
	// floats are the kernels whose Prepare accepts only FLOAT32.
	floats = laws(unary, takes(in(0), f32), takes(out(0), f32), sameShape(in(0), out(0)))
)

// elementwise1 are kernels whose Prepare requires equal types and whose Eval requires one of
// list.
func elementwise1(list ...schema.TensorType) []law {
	return laws(unary, alike(in(0), out(0)), later(takes(in(0), list...)))
}

// builtinKernels maps the builtin operators with a kernel in the runtime to its laws. A missing
// operator has no kernel.
var builtinKernels = map[schema.BuiltinOperator][]law{
	schema.BuiltinOperatorABS:         laws(elementwise1(f32, i8, i16), rescaled),
	schema.BuiltinOperatorRSQRT:       laws(elementwise1(f32, i8, i16), rescaled),
	schema.BuiltinOperatorCOS:         elementwise1(f32),
	schema.BuiltinOperatorSIN:         elementwise1(f32),
	schema.BuiltinOperatorSQRT:        elementwise1(f32),
	schema.BuiltinOperatorSQUARE:      elementwise1(f32),
	schema.BuiltinOperatorLOG:         elementwise1(f32),
	schema.BuiltinOperatorLOGICAL_NOT: elementwise1(boolean),
	schema.BuiltinOperatorCEIL:        floats,
	schema.BuiltinOperatorROUND:       floats,
	schema.BuiltinOperatorEXP:         floats,
	schema.BuiltinOperatorFLOOR:       laws(later(has(in(0), out(0)), takes(in(0), f32))),
	schema.BuiltinOperatorNEG:         laws(later(has(in(0), out(0)), takes(in(0), f32))),
	schema.BuiltinOperatorRELU: laws(lenient,
		when(of(in(0), i16), zeroAt(0, in(0), out(0))), later(takes(in(0), f32, i8, i16))),
	schema.BuiltinOperatorRELU6:      laws(has(in(0)), later(takes(in(0), f32, i8, i16))),
	schema.BuiltinOperatorELU:        elementwise1(f32, i8),
	schema.BuiltinOperatorHARD_SWISH: laws(unary, when(of(in(0), i8), swish), later(takes(in(0), f32, i8))),
	schema.BuiltinOperatorLEAKY_RELU: elementwise1(f32, i8, i16),
	schema.BuiltinOperatorLOGISTIC: laws(lenient, alike(in(0), out(0)),
		when(of(in(0), i8), zeroAt(-128, out(0))), when(of(in(0), i16), zeroAt(0, in(0), out(0)), fractionBits(15, out(0))),
		later(takes(in(0), f32, i8, i16))),
	schema.BuiltinOperatorTANH: laws(unary, alike(in(0), out(0)),
		when(of(in(0), i16), zeroAt(0, in(0), out(0)), fractionBits(15, out(0))),
		later(takes(in(0), f32, i8, i16))),
	schema.BuiltinOperatorL2_NORMALIZATION: laws(unary, takes(out(0), f32, i8), alike(in(0), out(0)), ranks(in(0), 0, 4), noActivation),
	schema.BuiltinOperatorLOG_SOFTMAX: laws(unary, sameShape(in(0), out(0)), alike(in(0), out(0)),
		when(of(in(0), i8), zeroAt(127, out(0)), scaleAt(16.0/256, out(0)), steep), later(takes(in(0), f32, i8))),
	schema.BuiltinOperatorSOFTMAX: softmax,

	schema.BuiltinOperatorADD: addition,
	schema.BuiltinOperatorSUB: laws(addition, when(of(out(0), i32), plain(out(0)))),
	schema.BuiltinOperatorMUL: laws(counts(2, 2, 1), twoIn, when(of(in(0), i8, i16, i32), flat(in(0), in(1), out(0))), when(of(out(0), i8, i16), scaled(out(0))), alike(in(0), in(1)),
		when(of(out(0), i16), zeroAt(0, in(0), in(1), out(0))), later(takes(in(0), f32, i32, i8, i16))),
	schema.BuiltinOperatorDIV: laws(twoIn, flat(in(0), in(1), out(0)), alike(in(0), in(1), out(0)),
		when(of(out(0), i32), plain(in(0), in(1))), later(takes(out(0), f32, i32, i8)),
		when(of(out(0), i8), scaled(in(0), in(1), out(0))), when(of(out(0), i32), divisor)),
	schema.BuiltinOperatorSQUARED_DIFFERENCE: laws(counts(2, 2, 1), twoIn, alike(in(0), in(1)), when(of(in(0), i8, i16), when(of(out(0), i8, i16), scaled(in(0), in(1)))...),
		when(of(out(0), i16), zeroAt(0, in(0), in(1), out(0))), later(takes(out(0), f32, i32, i8, i16))),
	schema.BuiltinOperatorFLOOR_DIV:     laws(counts(2, 2, 1), twoIn, alike(in(0), in(1), out(0)), later(takes(in(0), f32))),
	schema.BuiltinOperatorFLOOR_MOD:     laws(counts(2, 2, 1), twoIn, alike(in(0), in(1), out(0)), later(takes(in(0), f32))),
	schema.BuiltinOperatorMAXIMUM:       laws(later(twoIn...), flat(in(0), in(1), out(0)), later(takes(out(0), f32, i8, i16, i32, i64))),
	schema.BuiltinOperatorMINIMUM:       laws(later(twoIn...), flat(in(0), in(1), out(0)), later(takes(out(0), f32, i8, i16, i32, i64))),
	schema.BuiltinOperatorEQUAL:         comparison(boolean, f32, i32, i64, i8),
	schema.BuiltinOperatorNOT_EQUAL:     comparison(boolean, f32, i32, i64, i8),
	schema.BuiltinOperatorGREATER:       comparison(f32, i32, i64, i8, i16),
	schema.BuiltinOperatorGREATER_EQUAL: comparison(f32, i32, i64, i8),
	schema.BuiltinOperatorLESS:          comparison(f32, i32, i64, i8),
	schema.BuiltinOperatorLESS_EQUAL:    comparison(f32, i32, i64, i8),
	schema.BuiltinOperatorLOGICAL_AND:   laws(later(twoIn...)),
	schema.BuiltinOperatorLOGICAL_OR:    laws(later(twoIn...)),
	schema.BuiltinOperatorPRELU: laws(twoIn, when(of(in(0), f32), later(ranks(in(0), 0, 4), ranks(in(1), 0, 4), ranks(out(0), 0, 4))...), when(of(out(0), i16), takes(in(1), i8)),
		later(takes(in(0), f32, i8, i16))),
	schema.BuiltinOperatorADD_N: addN,

	schema.BuiltinOperatorARG_MAX:    arg,
	schema.BuiltinOperatorARG_MIN:    arg,
	schema.BuiltinOperatorMEAN:       laws(reduction, later(takes(in(0), f32, i8, i16))),
	schema.BuiltinOperatorSUM:        laws(reduction, later(takes(in(0), f32, i8, i16), alike(in(0), out(0)))),
	schema.BuiltinOperatorREDUCE_MAX: extremum,
	schema.BuiltinOperatorREDUCE_MIN: extremum,
	schema.BuiltinOperatorREDUCE_ALL: laws(reduction, takes(in(0), boolean), later(alike(in(0), out(0)))),
	schema.BuiltinOperatorCUMSUM: laws(counts(2, 2, 1), twoIn, takes(in(0), f32, i8), alike(in(0), out(0)),
		takes(in(1), i32), count(in(1), 1), sameShape(in(0), out(0)), when(of(in(0), i8), summable), later(axisWithin(in(1), in(0)))),

	schema.BuiltinOperatorCONV_2D: laws(counts(2, 3, 1), twoIn, alike(in(0), out(0)),
		pairs(in(0), in(1), pair{f32, f32}, pair{i16, i8}, pair{i8, i8}, pair{i8, i4}),
		when(of(in(0), i8, i16), oneScale(in(1), 0), quantised(in(0))), bias16(in(0), in(2)), activated, grouped),
	schema.BuiltinOperatorDEPTHWISE_CONV_2D: laws(counts(2, 3, 1), twoIn, hybridPairs(in(0), in(1), pair{i8, i4}, pair{i16, i8}), integerOutput(in(0)), perChannel(in(0), in(1)), later(ranks(in(0), 4, 4), ranks(in(1), 4, 4), ranks(out(0), 4, 4)),
		when(of(in(0), i8, i16), takes(in(1), i8, i4), oneScale(in(1), 3), quantised(in(0))),
		activated, later(takes(in(0), f32, i8, i16))),
	schema.BuiltinOperatorTRANSPOSE_CONV: laws(counts(3, 4, 1), has(in(1), in(2), out(0)),
		hybridPairs(in(2), in(1), pair{i16, i8}), integerOutput(in(2)), perChannel(in(2), in(1)), later(ranks(in(2), 4, 4), ranks(in(1), 4, 4), ranks(out(0), 4, 4)),
		when(of(in(2), i8, i16), takes(in(1), i8, i4), oneScale(in(1), 0), quantised(in(2))), activated, later(alike(in(2), out(0)), takes(in(2), f32, i8, i16))),
	schema.BuiltinOperatorFULLY_CONNECTED: laws(twoIn, alike(in(0), out(0)),
		when(of(in(0), f32), takes(in(1), f32)), when(of(in(0), i8), takes(in(1), i8, i4)), when(of(in(0), i16), when(of(out(0), i16), takes(in(1), i8))...),
		fullyConnectedScales, perTensor(biasFits(in(0), in(1), in(2), out(0))), activated,
		later(takes(in(0), f32, i8, i16)), plainWeights),
	schema.BuiltinOperatorBATCH_MATMUL: laws(counts(2, 2, 1), twoIn, takes(in(0), f32, i8, i16), alike(in(0), in(1), out(0)),
		ranks(in(0), 2, 5), ranks(in(1), 2, 5), depths, when(of(in(0), i16), zeroAt(0, in(0), in(1), out(0)))),
	schema.BuiltinOperatorSVDF:                         svdfLaws,
	schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_LSTM: lstmLaws,

	schema.BuiltinOperatorAVERAGE_POOL_2D: pooling,
	schema.BuiltinOperatorMAX_POOL_2D:     pooling,
	schema.BuiltinOperatorL2_POOL_2D: laws(unary, ranks(in(0), 4, 4), ranks(out(0), 4, 4),
		takes(in(0), f32), takes(out(0), f32), pooled),
	schema.BuiltinOperatorRESIZE_BILINEAR:         laws(resize, bothCorners, later(ranks(out(0), 4, 4), takes(out(0), f32, i8))),
	schema.BuiltinOperatorRESIZE_NEAREST_NEIGHBOR: laws(resize, later(ranks(out(0), 4, 4), takes(out(0), f32, i8, i16))),

	schema.BuiltinOperatorBATCH_TO_SPACE_ND: laws(counts(3, 3, 1), has(in(0), out(0)), ranks(in(0), 3, 4), ranks(out(0), 3, 4),
		alike(in(0), out(0)), later(has(in(1), in(2)), takes(in(0), f32, i8)), blocksDivide),
	schema.BuiltinOperatorSPACE_TO_BATCH_ND: laws(counts(3, 3, 1), has(in(0), out(0)), ranks(in(0), 3, 4), ranks(out(0), 3, 4),
		alike(in(0), out(0)), later(has(in(1), in(2)), takes(in(0), f32, i8)), blocksDivide),
	schema.BuiltinOperatorDEPTH_TO_SPACE: laws(unary, ranks(in(0), 4, 4), ranks(out(0), 4, 4), takes(in(0), f32, i8), alike(in(0), out(0)), block),
	schema.BuiltinOperatorSPACE_TO_DEPTH: laws(unary, ranks(in(0), 4, 4), ranks(out(0), 4, 4), takes(in(0), f32, i8), alike(in(0), out(0)), block),
	schema.BuiltinOperatorBROADCAST_ARGS: laws(counts(2, 2, 1), twoIn, takes(in(0), i32, i64), alike(in(0), in(1), out(0)),
		ranks(in(0), 1, 1), ranks(in(1), 1, 1), ranks(out(0), 1, 1)),
	schema.BuiltinOperatorBROADCAST_TO: laws(counts(2, 2, 1), twoIn, ranks(in(0), 0, 5), ranks(out(0), 0, 5), alike(in(0), out(0)),
		takes(in(1), i32, i64), ranks(in(1), 1, 1), constant(in(1), "shape"), shapeIs(in(1)), spreads),
	schema.BuiltinOperatorCONCATENATION: concatenation,
	schema.BuiltinOperatorDYNAMIC_UPDATE_SLICE: laws(counts(3, 3, 1), has(in(0), in(1), in(2), out(0)),
		alike(in(0), in(1)), takes(in(2), i32, i64), updated, later(takes(in(0), f32, i8, i16, i32))),
	schema.BuiltinOperatorEMBEDDING_LOOKUP: laws(counts(2, 2, 1), twoIn, ranks(in(0), 1, 1), takes(in(0), i32), ranks(in(1), 2, 8),
		takes(in(1), f32, i8), embedded, lookedUp),
	schema.BuiltinOperatorEXPAND_DIMS: laws(counts(2, 2, 1), twoIn, constant(in(1), "axis"), takes(in(1), i32), ranks(in(1), 0, 1), count(in(1), 1), expanded, later(takes(in(0), f32, i8, i16))),
	schema.BuiltinOperatorFILL: laws(twoIn, ranks(in(0), 1, 1), constant(in(0), "shape"), takes(in(0), i8, i16, i32, i64), shapeIs(in(0)), scalar(in(1)),
		alike(in(1), out(0)), later(takes(in(1), f32, i32, i8))),
	schema.BuiltinOperatorGATHER: laws(counts(2, 2, 1), twoIn, takes(in(1), i32), takes(in(0), f32, i8), gathered),
	schema.BuiltinOperatorGATHER_ND: laws(counts(2, 2, 1), twoIn, takes(in(0), f32, i8), takes(in(1), i32),
		ranks(in(0), 1, 8), ranks(in(1), 1, 8), indexed),
	schema.BuiltinOperatorMIRROR_PAD: laws(twoIn, mirrored, later(takes(in(0), f32, i8))),
	schema.BuiltinOperatorPAD:        padding,
	schema.BuiltinOperatorPADV2:      padding,
	schema.BuiltinOperatorPACK:       laws(later(has(in(0), out(0)), packed, takes(out(0), f32, i8, i16, i32, i64))),
	schema.BuiltinOperatorUNPACK:     laws(later(has(in(0), out(0)), takes(in(0), f32, i32, i16, i8))),
	schema.BuiltinOperatorRESHAPE:    laws(counts(1, 2, 1), has(in(0), out(0)), alike(in(0), out(0)), reshaped),
	schema.BuiltinOperatorREVERSE_V2: laws(counts(2, 2, 1), twoIn, ranks(in(0), 1, 8), ranks(in(1), 1, 1), takes(in(1), i32),
		alike(in(0), out(0)), later(axisWithin(in(1), in(0)), contiguous, takes(in(0), f32, i32, u8, i8, i16, i64, boolean))),
	schema.BuiltinOperatorSELECT_V2: laws(counts(3, 3, 1), has(in(0), in(1), in(2), out(0)), takes(in(0), boolean),
		alike(in(1), in(2)), selected, later(takes(in(1), f32, i8, i16))),
	schema.BuiltinOperatorSHAPE: laws(counts(1, 1, 1), later(has(in(0)), takes(out(0), i32))),
	schema.BuiltinOperatorSLICE: laws(counts(3, 3, 1), has(in(0), in(1), in(2), out(0)), later(takes(in(1), i32, i64),
		takes(in(0), f32, i32, i8, i16, boolean))),
	schema.BuiltinOperatorSPLIT: laws(has(in(0)), constant(in(0), "axis"), later(has(in(1)), axisWithin(in(0), in(1)), takes(in(1), f32, i8, i16, i32))),
	schema.BuiltinOperatorSPLIT_V: laws(counts(3, 3, -1), has(in(2)), constant(in(2), "axis"),
		later(has(in(0)), axisWithin(in(2), in(0)), takes(in(0), f32, i8, i16, i32))),
	schema.BuiltinOperatorSQUEEZE: laws(unary, ranks(in(0), 0, 8), squeezed, later(sameBytes(in(0), out(0)))),
	schema.BuiltinOperatorSTRIDED_SLICE: laws(counts(4, 4, 1), has(in(0), in(1), in(2), in(3), out(0)), ranks(in(0), 0, 4),
		constant(in(1), "begin"), constant(in(2), "end"), constant(in(3), "strides"), sliced, later(takes(out(0), f32, i8, i16, i32, boolean))),
	schema.BuiltinOperatorTRANSPOSE: laws(counts(2, 2, 1), twoIn, ranks(in(0), 0, 5), alike(in(0), out(0)),
		constant(in(1), "perm"), permuted, later(takes(in(0), f32, i8, i16))),
	schema.BuiltinOperatorZEROS_LIKE: laws(unary, later(takes(in(0), f32, i8, i32, i64))),

	schema.BuiltinOperatorCAST: laws(unary, later(takes(in(0), f32, i8, i16, i32, u32, boolean), takes(out(0), f32, i8, i16, i32, u32, boolean))),
	schema.BuiltinOperatorDEQUANTIZE: laws(unary, takes(in(0), i8, i16, u8),
		takes(out(0), f32)),
	schema.BuiltinOperatorQUANTIZE: laws(unary, takes(in(0), f32, i8, i16, i32, u8), takes(out(0), i8, i16, i32, u8),
		oneScaleOnly(out(0)), later(pairs(in(0), out(0), pair{f32, i8}, pair{f32, i16}, pair{i32, i8}, pair{i32, i16},
			pair{i16, i8}, pair{i16, i16}, pair{i16, i32}, pair{i8, i8}, pair{i8, u8}, pair{i8, i16}, pair{i8, i32}, pair{u8, i8}))),

	schema.BuiltinOperatorIF:              branch,
	schema.BuiltinOperatorWHILE:           loop,
	schema.BuiltinOperatorCALL_ONCE:       once,
	schema.BuiltinOperatorVAR_HANDLE:      {has(out(0))},
	schema.BuiltinOperatorREAD_VARIABLE:   laws(counts(1, 1, 1), has(in(0)), takes(in(0), schema.TensorTypeRESOURCE, i32)),
	schema.BuiltinOperatorASSIGN_VARIABLE: laws(counts(2, 2, 0), binaryIn, takes(in(0), schema.TensorTypeRESOURCE, i32)),
}

// customKernels maps the custom operators with a kernel to its laws, by name. The Ethos-U
// kernel is only in builds with its driver.
var customKernels = map[string][]law{
	"ethos-u":                             {},
	"CIRCULAR_BUFFER":                     laws(unary, takes(in(0), i8), takes(out(0), i8), buffered),
	"TFLite_Detection_PostProcess":        laws(counts(3, 3, 4), has(in(0), in(1), in(2)), ranks(in(0), 3, 3), ranks(in(1), 3, 3), ranks(in(2), 2, 2)),
	kernels.Decode:                        decode,
	"SignalDelay":                         laws(unary, takes(in(0), i16), takes(out(0), i16)),
	"SignalEnergy":                        laws(unary, ranks(in(0), 1, 1), ranks(out(0), 1, 1), takes(in(0), i16), takes(out(0), u32)),
	"SignalFftAutoScale":                  laws(counts(1, 1, 2), has(in(0), out(0), out(1)), ranks(in(0), 1, 1), ranks(out(0), 1, 1), takes(in(0), i16), takes(out(0), i16), takes(out(1), i32)),
	"SignalFilterBank":                    laws(counts(6, 6, 1), has(in(0), out(0)), takes(in(0), u32), takes(out(0), u64), has(in(1), in(2), in(3), in(4), in(5)), takes(in(1), i16), takes(in(2), i16), takes(in(3), i16), takes(in(4), i16), takes(in(5), i16)),
	"SignalFilterBankLog":                 laws(unary, ranks(in(0), 1, 1), ranks(out(0), 1, 1), takes(in(0), u32), takes(out(0), i16)),
	"SignalFilterBankSpectralSubtraction": laws(counts(1, 1, 2), has(in(0), out(0), out(1)), takes(in(0), u32), takes(out(0), u32), takes(out(1), u32)),
	"SignalFilterBankSquareRoot":          laws(counts(2, 2, 1), twoIn, ranks(in(0), 1, 1), ranks(in(1), 0, 0), ranks(out(0), 1, 1), takes(in(0), u64), takes(in(1), i32), takes(out(0), u32)),
	"SignalFramer":                        laws(counts(1, 1, 2), has(in(0), out(0), out(1)), moreDimensions(1), ranks(out(1), 0, 0), takes(in(0), i16), takes(out(0), i16), takes(out(1), boolean)),
	"SignalOverlapAdd":                    laws(unary, moreDimensions(-1), takes(in(0), f32, i16), alike(in(0), out(0))),
	"SignalPCAN":                          laws(counts(3, 3, 1), has(in(0), in(1), in(2), out(0)), ranks(in(0), 1, 1), ranks(in(1), 1, 1), ranks(in(2), 1, 1), ranks(out(0), 1, 1), takes(in(0), u32), takes(in(1), u32), takes(in(2), i16), takes(out(0), u32)),
	"SignalRfft":                          laws(unary, moreDimensions(0), transformed, takes(in(0), f32, i16, i32), alike(in(0), out(0))),
	"SignalIrfft":                         laws(unary, moreDimensions(0), takes(in(0), f32, i16, i32), alike(in(0), out(0))),
	"SignalStacker":                       laws(counts(1, 1, 2), has(in(0), out(0), out(1)), ranks(in(0), 1, 1), ranks(out(0), 1, 1), ranks(out(1), 0, 0), takes(in(0), i16), takes(out(0), i16), takes(out(1), boolean)),
	"SignalWindow":                        laws(counts(2, 2, 1), twoIn, moreDimensions(0), takes(in(0), i16), takes(in(1), i16), takes(out(0), i16)),
}
