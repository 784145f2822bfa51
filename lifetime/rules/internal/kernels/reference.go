package kernels

import "github.com/tflarena/tflarena/schema"

// The reference kernels of TensorFlow Lite Micro (tflite-micro 90b983c): the persistent memory
// and the requests of each, in order. A missing kernel is not in the library; one with an empty
// row requests nothing.

// Short names of the types.
const (
	f32 = schema.TensorTypeFLOAT32
	i4  = schema.TensorTypeINT4
	i8  = schema.TensorTypeINT8
	i16 = schema.TensorTypeINT16
)

var (
	inOut   = []ask{in(0), out(0)}
	inInOut = []ask{in(0, 1), out(0)}
	ins     = []ask{in(0, 1)}
)

// same returns options with the same layout on all targets.
func same(bytes, align int64) [abis]block {
	b := block{bytes, align}
	return [abis]block{b, b, b}
}

// short returns options with enums, which are one byte each if enums are short.
func short(bytes, align, shortBytes, shortAlign int64) [abis]block {
	b := block{bytes, align}
	return [abis]block{ESP: b, ARM: {shortBytes, shortAlign}, Host64: b}
}

// op is a kernel that keeps a struct of the same size on all targets; zero means none.
func op(options [abis]block, init int64, prepare ...ask) demand {
	d := demand{options: options, prepare: prepare}
	if init > 0 {
		d.init = []ask{data(init, init)}
	}
	return d
}

var none [abis]block

var (
	channels   = times(fixed(4), ofInput(1, axis(0)))
	copyOfOut  = keep(ofOutput(0, shapeOf))
	eachScale  = times(fixed(4), ofInput(1, scalesOf))
	int4Filter = where(inputIs(1, i4), scratch(ofInput(1, Elements)))
	dims       = scratch(times(fixed(4), ofInput(0, rank)))
	axes       = scratch(times(fixed(4), ofInput(1, Elements)))
	mean       = []ask{
		in(0), out(0), in(1),
		where(inputIs(0, i8, i16), scratch(times(fixed(4), ofOutput(0, Elements)))), dims, axes,
		in(0, 1), where(inputIs(0, i8), out(0)),
	}
	extreme = []ask{in(0, 1), where(inputIs(0, i8), out(0)), in(0), out(0), in(1), dims, axes}
)

var reference = map[schema.BuiltinOperator]demand{
	schema.BuiltinOperatorABS:                op(none, 28, inOut...),
	schema.BuiltinOperatorRSQRT:              op(none, 28, inOut...),
	schema.BuiltinOperatorCOS:                op(none, 0, inOut...),
	schema.BuiltinOperatorSIN:                op(none, 0, inOut...),
	schema.BuiltinOperatorSQRT:               op(none, 0, inOut...),
	schema.BuiltinOperatorSQUARE:             op(none, 0, inOut...),
	schema.BuiltinOperatorLOG:                op(none, 0, inOut...),
	schema.BuiltinOperatorLOGICAL_NOT:        op(none, 0, inOut...),
	schema.BuiltinOperatorCEIL:               op(none, 0, inOut...),
	schema.BuiltinOperatorROUND:              op(none, 0, inOut...),
	schema.BuiltinOperatorEXP:                op(none, 0, inOut...),
	schema.BuiltinOperatorFLOOR:              {},
	schema.BuiltinOperatorNEG:                {},
	schema.BuiltinOperatorRELU:               op(none, 28, inOut...),
	schema.BuiltinOperatorRELU6:              op(none, 8, in(0)),
	schema.BuiltinOperatorELU:                op(none, 256, inOut...),
	schema.BuiltinOperatorHARD_SWISH:         op(none, 20, inOut...),
	schema.BuiltinOperatorLEAKY_RELU:         op(same(4, 4), 24, inOut...),
	schema.BuiltinOperatorLOGISTIC:           op(none, 16, inOut...),
	schema.BuiltinOperatorTANH:               op(none, 16, in(0, 0), out(0)),
	schema.BuiltinOperatorPRELU:              op(none, 28, inInOut...),
	schema.BuiltinOperatorZEROS_LIKE:         op(none, 0, inOut...),
	schema.BuiltinOperatorCAST:               op(short(8, 4, 2, 1), 0, inOut...),
	schema.BuiltinOperatorDEQUANTIZE:         op(none, 32, inOut...),
	schema.BuiltinOperatorQUANTIZE:           op(none, 32, inOut...),
	schema.BuiltinOperatorL2_NORMALIZATION:   op(short(4, 4, 1, 1), 4, inOut...),
	schema.BuiltinOperatorLOG_SOFTMAX:        op(none, 0, in(0), out(0), where(inputIs(0, i8), data(28, 40))),
	schema.BuiltinOperatorADD:                op(short(8, 4, 2, 1), 60, inInOut...),
	schema.BuiltinOperatorSUB:                op(short(8, 4, 2, 1), 52, inInOut...),
	schema.BuiltinOperatorMUL:                op(short(4, 4, 1, 1), 36, inInOut...),
	schema.BuiltinOperatorDIV:                op(short(4, 4, 1, 1), 28, inInOut...),
	schema.BuiltinOperatorSQUARED_DIFFERENCE: op(none, 112, inInOut...),
	schema.BuiltinOperatorFLOOR_DIV:          op(none, 0, inInOut...),
	schema.BuiltinOperatorFLOOR_MOD:          op(none, 0, inInOut...),
	schema.BuiltinOperatorMAXIMUM:            {},
	schema.BuiltinOperatorMINIMUM:            {},
	schema.BuiltinOperatorEQUAL:              op(none, 32, ins...),
	schema.BuiltinOperatorNOT_EQUAL:          op(none, 32, ins...),
	schema.BuiltinOperatorGREATER:            op(none, 32, ins...),
	schema.BuiltinOperatorGREATER_EQUAL:      op(none, 32, ins...),
	schema.BuiltinOperatorLESS:               op(none, 32, ins...),
	schema.BuiltinOperatorLESS_EQUAL:         op(none, 32, ins...),
	schema.BuiltinOperatorLOGICAL_AND:        {},
	schema.BuiltinOperatorLOGICAL_OR:         {},
	schema.BuiltinOperatorSELECT_V2:          op(none, 1, in(0, 1, 2), out(0)),
	schema.BuiltinOperatorADD_N: op(none, 0, in(0), out(0), inputs(1),
		where(inputIs(0, i8), keep(fixed(40))), scratch(pointers(func(k *Kernel) int64 { return int64(len(k.op.Inputs)) }))),
	schema.BuiltinOperatorARG_MAX: op(short(4, 4, 1, 1), 0),
	schema.BuiltinOperatorARG_MIN: op(short(4, 4, 1, 1), 0),
	schema.BuiltinOperatorCUMSUM:  op(same(2, 1), 0, in(0, 1), out(0), where(inputIs(0, i8), keep(fixed(36)))),

	schema.BuiltinOperatorCONV_2D: {
		options: same(28, 4), init: []ask{data(56, 80)},
		prepare: []ask{out(0), in(0, 1), keep(channels), keep(channels), in(0, 1, 2), out(0), int4Filter},
	},
	schema.BuiltinOperatorDEPTHWISE_CONV_2D: {
		options: same(28, 4), init: []ask{data(56, 80)},
		prepare: []ask{out(0), in(0, 1), keep(depthChannels), keep(depthChannels), int4Filter, in(0, 1, 2), out(0)},
	},
	schema.BuiltinOperatorTRANSPOSE_CONV: {
		options: short(20, 4, 16, 4), init: []ask{data(72, 88)},
		prepare: []ask{
			out(0), in(2, 1), keep(channels), keep(channels),
			where(inputIs(2, i8), scratch(times(fixed(4), ofOutput(0, Elements)))),
			where(inputIs(2, i16), scratch(times(fixed(8), ofOutput(0, Elements)))),
			where(not(inputIs(2, f32)), in(2, 1, 3), out(0)),
			where(both(inputIs(2, i16), inputIs(3, i16)), scratch(times(fixed(8), ofInput(3, Elements)))),
		},
	},
	schema.BuiltinOperatorFULLY_CONNECTED: {
		options: [abis]block{ESP: {16, 4}, ARM: {5, 1}, Host64: {32, 8}},
		init:    []ask{data(48, 72)},
		prepare: []ask{
			in(0, 1, 2), out(0), int4Filter,
			where(both(not(inputIs(0, f32)), perChannel), keep(eachScale), keep(eachScale)),
		},
	},
	schema.BuiltinOperatorBATCH_MATMUL: {
		options: same(3, 1), init: []ask{data(16, 32)},
		prepare: []ask{
			in(0, 1), out(0), where(inputIs(0, i8, i16), keep(fixed(28))),
			where(adjointX, transposed(0)), where(not(adjointY), transposed(1)), copyOfOut,
		},
	},
	schema.BuiltinOperatorSVDF: op(short(12, 4, 8, 4), 36, in(0, 1, 2, 3, 4), out(0),
		scratch(times(fixed(4), ofInput(0, axis(0)), ofInput(1, axis(0)))),
		where(inputIs(0, i8), scratch(times(fixed(4), ofInput(0, axis(0)), ofOutput(0, axis(1)))))),
	schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_LSTM: op(same(16, 4), 688, inputs(0), out(0), gate, gate, gate, gate),
	schema.BuiltinOperatorEMBEDDING_LOOKUP:             op(none, 0, in(0, 1), out(0), reads(Type), copyOfOut, reads(Freed), data(8, 16)),

	schema.BuiltinOperatorAVERAGE_POOL_2D: op(same(40, 4), 32, inOut...),
	schema.BuiltinOperatorMAX_POOL_2D:     op(same(40, 4), 32, inOut...),
	schema.BuiltinOperatorL2_POOL_2D:      op(same(40, 4), 0, out(0), in(0), keep(fixed(20))),
	schema.BuiltinOperatorMEAN:            op(same(1, 1), 44, mean...),
	schema.BuiltinOperatorSUM:             op(same(1, 1), 44, mean...),
	schema.BuiltinOperatorREDUCE_MAX:      op(same(1, 1), 44, extreme...),
	schema.BuiltinOperatorREDUCE_MIN:      op(same(1, 1), 44, extreme...),
	schema.BuiltinOperatorREDUCE_ALL:      op(same(1, 1), 44, in(0), out(0), in(1, 0, 1), dims, axes),
	schema.BuiltinOperatorSOFTMAX: {
		options: same(4, 4), init: []ask{data(56, 80)},
		prepare: []ask{in(0), out(0), where(inputIs(0, i16), keep(fixed(1026)), keep(fixed(1026)))},
	},

	schema.BuiltinOperatorCONCATENATION: {
		options: same(8, 4), init: []ask{data(24, 80)}, prepare: []ask{in(0), out(0), inputs(0)},
	},
	schema.BuiltinOperatorPACK:              op(same(8, 4), 0),
	schema.BuiltinOperatorUNPACK:            op(same(8, 4), 0),
	schema.BuiltinOperatorSPLIT:             op(same(4, 4), 0, in(0)),
	schema.BuiltinOperatorSPLIT_V:           op(same(4, 4), 0, in(2)),
	schema.BuiltinOperatorSLICE:             op(none, 0, in(0, 1, 2), out(0)),
	schema.BuiltinOperatorSTRIDED_SLICE:     op(same(24, 4), 84, in(0, 1, 2, 3), out(0)),
	schema.BuiltinOperatorPAD:               op(none, 56, in(0, 1, 2), out(0)),
	schema.BuiltinOperatorPADV2:             op(none, 56, in(0, 1, 2), out(0)),
	schema.BuiltinOperatorMIRROR_PAD:        op(short(4, 4, 1, 1), 20, in(0, 1), out(0), dims, dims),
	schema.BuiltinOperatorTRANSPOSE:         op(none, 0, inInOut...),
	schema.BuiltinOperatorREVERSE_V2:        op(none, 0, inInOut...),
	schema.BuiltinOperatorEXPAND_DIMS:       op(none, 0, inInOut...),
	schema.BuiltinOperatorSQUEEZE:           op(same(36, 4), 0, inOut...),
	schema.BuiltinOperatorRESHAPE:           op(same(36, 4), 0, in(0), out(0), where(open, copyOfOut)),
	schema.BuiltinOperatorSHAPE:             op(short(4, 4, 1, 1), 0),
	schema.BuiltinOperatorFILL:              op(none, 0, inInOut...),
	schema.BuiltinOperatorBROADCAST_ARGS:    op(none, 0, inInOut...),
	schema.BuiltinOperatorBROADCAST_TO:      op(none, 0, inInOut...),
	schema.BuiltinOperatorGATHER:            op(same(8, 4), 0, in(0, 1), out(0), copyOfOut),
	schema.BuiltinOperatorGATHER_ND:         op(none, 0, in(0, 1), out(0), copyOfOut),
	schema.BuiltinOperatorDEPTH_TO_SPACE:    op(same(4, 4), 0, in(0), out(0), copyOfOut),
	schema.BuiltinOperatorSPACE_TO_DEPTH:    op(same(4, 4), 0, in(0), out(0), copyOfOut),
	schema.BuiltinOperatorBATCH_TO_SPACE_ND: op(none, 0, inOut...),
	schema.BuiltinOperatorSPACE_TO_BATCH_ND: op(none, 4, inOut...),

	schema.BuiltinOperatorRESIZE_BILINEAR:         op(same(2, 1), 0, inInOut...),
	schema.BuiltinOperatorRESIZE_NEAREST_NEIGHBOR: op(same(2, 1), 0, inInOut...),
	schema.BuiltinOperatorDYNAMIC_UPDATE_SLICE:    op(none, 0, in(0, 1, 2), out(0)),

	schema.BuiltinOperatorIF:            op(same(8, 4), 8, in(0)),
	schema.BuiltinOperatorWHILE:         op(same(8, 4), 8),
	schema.BuiltinOperatorCALL_ONCE:     op(same(4, 4), 8),
	schema.BuiltinOperatorVAR_HANDLE:    op([abis]block{{8, 4}, {8, 4}, {16, 8}}, 4),
	schema.BuiltinOperatorREAD_VARIABLE: op(none, 0, in(0)),
	schema.BuiltinOperatorASSIGN_VARIABLE: {
		init: []ask{whereWide(keep(fixed(4)))}, prepare: []ask{in(1), assignment},
	},
}
