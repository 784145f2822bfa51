package kernels

import "github.com/tflarena/tflarena/schema"

// A row describes the kernel of an operator: the reference kernel (tflite-micro 90b983c), or the
// kernel of a library.
type row struct {
	// memory is the persistent memory, temporary tensors and scratch that it requests. Without it, a
	// reference kernel requests nothing, and the kernel of a library what the reference kernel requests.
	memory *demand
	// laws are what a reference kernel requires of its operands. (What the kernels of libraries refuse
	// are known faults.)
	laws []law
	// sharing is how its output may share memory with an input, and order the order in which it
	// reads and writes, if that is known. (Each order is compared with the real runtime.)
	sharing Sharing
	order   kernelOrder
	// unmeasured reports that the order is known only from the source.
	unmeasured bool
}

// byElement is the order of kernels that iterate over the elements of the output once, and write
// each after reading what it depends on.
var byElement = kernelOrder{ByElement, inOrder}

// builtinRows holds a row for each builtin operator with a kernel in the runtime.
var builtinRows = map[schema.BuiltinOperator]row{
	schema.BuiltinOperatorABS:         {memory: requests(none, 28, inOut...), laws: laws(elementwise1(f32, i8, i16), rescaled), sharing: Computing, order: byElement},
	schema.BuiltinOperatorRSQRT:       {memory: requests(none, 28, inOut...), laws: laws(elementwise1(f32, i8, i16), rescaled), sharing: Computing, order: byElement},
	schema.BuiltinOperatorCOS:         {memory: requests(none, 0, inOut...), laws: elementwise1(f32), sharing: Computing, order: byElement},
	schema.BuiltinOperatorSIN:         {memory: requests(none, 0, inOut...), laws: elementwise1(f32), sharing: Computing, order: byElement},
	schema.BuiltinOperatorSQRT:        {memory: requests(none, 0, inOut...), laws: elementwise1(f32), sharing: Computing, order: byElement},
	schema.BuiltinOperatorSQUARE:      {memory: requests(none, 0, inOut...), laws: elementwise1(f32), sharing: Computing, order: byElement},
	schema.BuiltinOperatorLOG:         {memory: requests(none, 0, inOut...), laws: elementwise1(f32), sharing: Computing, order: byElement},
	schema.BuiltinOperatorLOGICAL_NOT: {memory: requests(none, 0, inOut...), laws: elementwise1(boolean), sharing: Computing, order: byElement},
	schema.BuiltinOperatorCEIL:        {memory: requests(none, 0, inOut...), laws: floats, sharing: Computing, order: byElement},
	schema.BuiltinOperatorROUND:       {memory: requests(none, 0, inOut...), laws: floats, sharing: Computing, order: byElement},
	schema.BuiltinOperatorEXP:         {memory: requests(none, 0, inOut...), laws: floats, sharing: Computing, order: byElement},
	schema.BuiltinOperatorFLOOR:       {laws: laws(later(has(input(0), output(0)), takes(input(0), f32))), sharing: Computing, order: byElement},
	schema.BuiltinOperatorNEG:         {laws: laws(later(has(input(0), output(0)), takes(input(0), f32))), sharing: Computing, order: byElement},
	schema.BuiltinOperatorRELU: {
		memory: requests(none, 28, inOut...),
		laws: laws(lenient,
			when(of(input(0), i16), zeroAt(0, input(0), output(0))), later(takes(input(0), f32, i8, i16))),
		sharing: Computing,
		order:   byElement,
	},
	schema.BuiltinOperatorRELU6: {
		memory:  requests(none, 8, in(0)),
		laws:    laws(has(input(0)), later(takes(input(0), f32, i8, i16))),
		sharing: Computing,
		order:   byElement,
	},
	schema.BuiltinOperatorELU: {memory: requests(none, 256, inOut...), laws: elementwise1(f32, i8), sharing: Computing, order: byElement},
	schema.BuiltinOperatorHARD_SWISH: {
		memory:  requests(none, 20, inOut...),
		laws:    laws(unary, when(of(input(0), i8), swish), later(takes(input(0), f32, i8))),
		sharing: Computing,
		order:   byElement,
	},
	schema.BuiltinOperatorLEAKY_RELU: {memory: requests(same(4, 4), 24, inOut...), laws: elementwise1(f32, i8, i16), sharing: Computing, order: byElement},
	schema.BuiltinOperatorLOGISTIC: {
		memory: requests(none, 16, inOut...),
		laws: laws(lenient, alike(input(0), output(0)),
			when(of(input(0), i8), zeroAt(-128, output(0))), when(of(input(0), i16), zeroAt(0, input(0), output(0)), fractionBits(15, output(0))),
			later(takes(input(0), f32, i8, i16))),
		sharing: Computing,
		order:   byElement,
	},
	schema.BuiltinOperatorTANH: {
		memory: requests(none, 16, in(0, 0), out(0)),
		laws: laws(unary, alike(input(0), output(0)),
			when(of(input(0), i16), zeroAt(0, input(0), output(0)), fractionBits(15, output(0))),
			later(takes(input(0), f32, i8, i16))),
		sharing: Computing,
		order:   byElement,
	},
	schema.BuiltinOperatorL2_NORMALIZATION: {
		memory: requests(short(4, 4, 1, 1), 4, inOut...),
		laws:   laws(unary, takes(output(0), f32, i8), alike(input(0), output(0)), ranks(input(0), 0, 4), noActivation),
		order:  kernelOrder{ByElement, inRows},
	},
	schema.BuiltinOperatorLOG_SOFTMAX: {
		memory: requests(none, 0, in(0), out(0), where(inputIs(0, i8), data(28, 40))),
		laws: laws(unary, sameShape(input(0), output(0)), alike(input(0), output(0)),
			when(of(input(0), i8), zeroAt(127, output(0)), scaleAt(16.0/256, output(0)), steep), later(takes(input(0), f32, i8))),
		order: kernelOrder{ByElement, inRows},
	},
	schema.BuiltinOperatorSOFTMAX: {
		memory: &demand{
			options: same(4, 4), init: []ask{data(56, 80)},
			prepare: []ask{in(0), out(0), where(inputIs(0, i16), keep(fixed(1026)), keep(fixed(1026)))},
		},
		laws:  softmax,
		order: kernelOrder{ByElement, inRows},
	},

	schema.BuiltinOperatorADD: {memory: requests(short(8, 4, 2, 1), 60, inInOut...), laws: addition, sharing: Computing, order: byElement},
	schema.BuiltinOperatorSUB: {
		memory:  requests(short(8, 4, 2, 1), 52, inInOut...),
		laws:    laws(addition, when(of(output(0), i32), plainTypes(output(0)))),
		sharing: Computing,
		order:   byElement,
	},
	schema.BuiltinOperatorMUL: {
		memory: requests(short(4, 4, 1, 1), 36, inInOut...),
		laws: laws(counts(2, 2, 1), twoIn, when(of(input(0), i8, i16, i32), flat(input(0), input(1), output(0))), when(of(output(0), i8, i16), scaled(output(0))), alike(input(0), input(1)),
			when(of(output(0), i16), zeroAt(0, input(0), input(1), output(0))), later(takes(input(0), f32, i32, i8, i16))),
		sharing: Computing,
		order:   byElement,
	},
	schema.BuiltinOperatorDIV: {
		memory: requests(short(4, 4, 1, 1), 28, inInOut...),
		laws: laws(twoIn, flat(input(0), input(1), output(0)), alike(input(0), input(1), output(0)),
			when(of(output(0), i32), plainTypes(input(0), input(1))), later(takes(output(0), f32, i32, i8)),
			when(of(output(0), i8), scaled(input(0), input(1), output(0))), when(of(output(0), i32), divisor)),
		sharing: Computing,
		order:   byElement,
	},
	schema.BuiltinOperatorSQUARED_DIFFERENCE: {
		memory: requests(none, 112, inInOut...),
		laws: laws(counts(2, 2, 1), twoIn, alike(input(0), input(1)), when(of(input(0), i8, i16), when(of(output(0), i8, i16), scaled(input(0), input(1)))...),
			when(of(output(0), i16), zeroAt(0, input(0), input(1), output(0))), later(takes(output(0), f32, i32, i8, i16))),
		sharing: Computing,
		order:   byElement,
	},
	schema.BuiltinOperatorFLOOR_DIV: {
		memory:  requests(none, 0, inInOut...),
		laws:    laws(counts(2, 2, 1), twoIn, alike(input(0), input(1), output(0)), later(takes(input(0), f32))),
		sharing: Computing,
		order:   byElement,
	},
	schema.BuiltinOperatorFLOOR_MOD: {
		memory:  requests(none, 0, inInOut...),
		laws:    laws(counts(2, 2, 1), twoIn, alike(input(0), input(1), output(0)), later(takes(input(0), f32))),
		sharing: Computing,
		order:   byElement,
	},
	schema.BuiltinOperatorMAXIMUM: {
		laws:    laws(later(twoIn...), flat(input(0), input(1), output(0)), later(takes(output(0), f32, i8, i16, i32, i64))),
		sharing: Computing,
		order:   byElement,
	},
	schema.BuiltinOperatorMINIMUM: {
		laws:    laws(later(twoIn...), flat(input(0), input(1), output(0)), later(takes(output(0), f32, i8, i16, i32, i64))),
		sharing: Computing,
		order:   byElement,
	},
	schema.BuiltinOperatorEQUAL:         {memory: requests(none, 32, ins...), laws: comparison(boolean, f32, i32, i64, i8), order: byElement},
	schema.BuiltinOperatorNOT_EQUAL:     {memory: requests(none, 32, ins...), laws: comparison(boolean, f32, i32, i64, i8), order: byElement},
	schema.BuiltinOperatorGREATER:       {memory: requests(none, 32, ins...), laws: comparison(f32, i32, i64, i8, i16), order: byElement},
	schema.BuiltinOperatorGREATER_EQUAL: {memory: requests(none, 32, ins...), laws: comparison(f32, i32, i64, i8), order: byElement},
	schema.BuiltinOperatorLESS:          {memory: requests(none, 32, ins...), laws: comparison(f32, i32, i64, i8), order: byElement},
	schema.BuiltinOperatorLESS_EQUAL:    {memory: requests(none, 32, ins...), laws: comparison(f32, i32, i64, i8), order: byElement},
	schema.BuiltinOperatorLOGICAL_AND:   {laws: laws(later(twoIn...)), sharing: Computing, order: byElement},
	schema.BuiltinOperatorLOGICAL_OR:    {laws: laws(later(twoIn...)), sharing: Computing, order: byElement},
	schema.BuiltinOperatorPRELU: {
		memory: requests(none, 28, inInOut...),
		laws: laws(twoIn, when(of(input(0), f32), later(ranks(input(0), 0, 4), ranks(input(1), 0, 4), ranks(output(0), 0, 4))...), when(of(output(0), i16), takes(input(1), i8)),
			later(takes(input(0), f32, i8, i16))),
		order: byElement,
	},
	schema.BuiltinOperatorADD_N: {
		memory: requests(none, 0, in(0), out(0), inputs(1),
			where(inputIs(0, i8), keep(fixed(40))), scratch(pointers(func(k *Kernel) int64 { return int64(len(k.op.Inputs)) }))),
		laws:    addN,
		sharing: Computing,
		order:   byElement,
	},

	schema.BuiltinOperatorARG_MAX:    {memory: requests(short(4, 4, 1, 1), 0), laws: arg, order: kernelOrder{ByElement, firstInput(inOrder)}},
	schema.BuiltinOperatorARG_MIN:    {memory: requests(short(4, 4, 1, 1), 0), laws: arg, order: kernelOrder{ByElement, firstInput(inOrder)}},
	schema.BuiltinOperatorMEAN:       {memory: requests(same(1, 1), 44, mean...), laws: laws(reduction, later(takes(input(0), f32, i8, i16)))},
	schema.BuiltinOperatorSUM:        {memory: requests(same(1, 1), 44, mean...), laws: laws(reduction, later(takes(input(0), f32, i8, i16), alike(input(0), output(0))))},
	schema.BuiltinOperatorREDUCE_MAX: {memory: requests(same(1, 1), 44, extreme...), laws: extremum},
	schema.BuiltinOperatorREDUCE_MIN: {memory: requests(same(1, 1), 44, extreme...), laws: extremum},
	schema.BuiltinOperatorREDUCE_ALL: {
		memory: requests(same(1, 1), 44, in(0), out(0), in(1, 0, 1), dims, axes),
		laws:   laws(reduction, takes(input(0), boolean), later(alike(input(0), output(0)))),
	},
	schema.BuiltinOperatorCUMSUM: {
		memory: requests(same(2, 1), 0, in(0, 1), out(0), where(inputIs(0, i8), keep(fixed(36)))),
		laws: laws(counts(2, 2, 1), twoIn, takes(input(0), f32, i8), alike(input(0), output(0)),
			takes(input(1), i32), elements(input(1), 1), sameShape(input(0), output(0)), when(of(input(0), i8), summable), later(axisWithin(input(1), input(0)))),
	},

	schema.BuiltinOperatorCONV_2D: {
		memory: &demand{
			options: same(28, 4), init: []ask{data(56, 80)},
			prepare: []ask{out(0), in(0, 1), keep(channels), keep(channels), in(0, 1, 2), out(0), int4Filter},
		},
		laws: laws(counts(2, 3, 1), twoIn, alike(input(0), output(0)),
			pairs(input(0), input(1), pair{f32, f32}, pair{i16, i8}, pair{i8, i8}, pair{i8, i4}),
			when(of(input(0), i8, i16), oneScale(input(1), 0), quantised(input(0))), bias16(input(0), input(2)), activated, grouped),
		order: kernelOrder{ByElement, firstInput(convolved)},
	},
	schema.BuiltinOperatorDEPTHWISE_CONV_2D: {
		memory: &demand{
			options: same(28, 4), init: []ask{data(56, 80)},
			prepare: []ask{out(0), in(0, 1), keep(depthChannels), keep(depthChannels), int4Filter, in(0, 1, 2), out(0)},
		},
		laws: laws(counts(2, 3, 1), twoIn, hybridPairs(input(0), input(1), pair{i8, i4}, pair{i16, i8}), integerOutput(input(0)), perChannelScales(input(0), input(1)), later(ranks(input(0), 4, 4), ranks(input(1), 4, 4), ranks(output(0), 4, 4)),
			when(of(input(0), i8, i16), takes(input(1), i8, i4), oneScale(input(1), 3), quantised(input(0))),
			activated, later(takes(input(0), f32, i8, i16))),
		order: kernelOrder{ByElement, firstInput(convolvedByChannel)},
	},
	schema.BuiltinOperatorTRANSPOSE_CONV: {
		memory: &demand{
			options: short(20, 4, 16, 4), init: []ask{data(72, 88)},
			prepare: []ask{
				out(0), in(2, 1), keep(channels), keep(channels),
				where(inputIs(2, i8), scratch(times(fixed(4), ofOutput(0, Elements)))),
				where(inputIs(2, i16), scratch(times(fixed(8), ofOutput(0, Elements)))),
				where(not(inputIs(2, f32)), in(2, 1, 3), out(0)),
				where(both(inputIs(2, i16), inputIs(3, i16)), scratch(times(fixed(8), ofInput(3, Elements)))),
			},
		},
		laws: laws(counts(3, 4, 1), has(input(1), input(2), output(0)),
			hybridPairs(input(2), input(1), pair{i16, i8}), integerOutput(input(2)), perChannelScales(input(2), input(1)), later(ranks(input(2), 4, 4), ranks(input(1), 4, 4), ranks(output(0), 4, 4)),
			when(of(input(2), i8, i16), takes(input(1), i8, i4), oneScale(input(1), 0), quantised(input(2))), activated, later(alike(input(2), output(0)), takes(input(2), f32, i8, i16))),
		order: kernelOrder{AtEnd, scattered},
	},
	schema.BuiltinOperatorFULLY_CONNECTED: {
		memory: &demand{
			options: [abis]block{ESP: {16, 4}, ARM: {5, 1}, Host64: {32, 8}},
			init:    []ask{data(48, 72)},
			prepare: []ask{
				in(0, 1, 2), out(0), int4Filter,
				where(both(not(inputIs(0, f32)), perChannel), keep(eachScale), keep(eachScale)),
			},
		},
		laws: laws(twoIn, alike(input(0), output(0)),
			when(of(input(0), f32), takes(input(1), f32)), when(of(input(0), i8), takes(input(1), i8, i4)), when(of(input(0), i16), when(of(output(0), i16), takes(input(1), i8))...),
			fullyConnectedScales, perTensor(biasFits(input(0), input(1), input(2), output(0))), activated,
			later(takes(input(0), f32, i8, i16)), plainWeights),
		order: kernelOrder{ByElement, firstInput(connected)},
	},
	schema.BuiltinOperatorBATCH_MATMUL: {
		memory: &demand{
			options: same(3, 1), init: []ask{data(16, 32)},
			prepare: []ask{
				in(0, 1), out(0), where(inputIs(0, i8, i16), keep(fixed(28))),
				where(adjointX, transposed(0)), where(not(adjointY), transposed(1)), copyOfOut,
			},
		},
		laws: laws(counts(2, 2, 1), twoIn, takes(input(0), f32, i8, i16), alike(input(0), input(1), output(0)),
			ranks(input(0), 2, 5), ranks(input(1), 2, 5), depths, when(of(input(0), i16), zeroAt(0, input(0), input(1), output(0)))),
		order: kernelOrder{ByElement, multiplied},
	},
	schema.BuiltinOperatorSVDF: {
		memory: requests(short(12, 4, 8, 4), 36, in(0, 1, 2, 3, 4), out(0),
			scratch(times(fixed(4), ofInput(0, axis(0)), ofInput(1, axis(0)))),
			where(inputIs(0, i8), scratch(times(fixed(4), ofInput(0, axis(0)), ofOutput(0, axis(1)))))),
		laws: svdfLaws,
	},
	schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_LSTM: {memory: requests(same(16, 4), 688, inputs(0), out(0), gate, gate, gate, gate), laws: lstmLaws},

	schema.BuiltinOperatorAVERAGE_POOL_2D: {memory: requests(same(40, 4), 32, inOut...), laws: pooling, order: kernelOrder{ByElement, pooledInOrder}},
	schema.BuiltinOperatorMAX_POOL_2D:     {memory: requests(same(40, 4), 32, inOut...), laws: pooling, order: kernelOrder{ByElement, pooledInOrder}},
	schema.BuiltinOperatorL2_POOL_2D: {
		memory: requests(same(40, 4), 0, out(0), in(0), keep(fixed(20))),
		laws: laws(unary, ranks(input(0), 4, 4), ranks(output(0), 4, 4),
			takes(input(0), f32), takes(output(0), f32), pooled),
		order: kernelOrder{ByElement, pooledInOrder},
	},
	schema.BuiltinOperatorRESIZE_BILINEAR: {
		memory: requests(same(2, 1), 0, inInOut...),
		laws:   laws(resize, bothCorners, later(ranks(output(0), 4, 4), takes(output(0), f32, i8))),
		order:  kernelOrder{ByElement, firstInput(interpolated)},
	},
	schema.BuiltinOperatorRESIZE_NEAREST_NEIGHBOR: {
		memory: requests(same(2, 1), 0, inInOut...),
		laws:   laws(resize, later(ranks(output(0), 4, 4), takes(output(0), f32, i8, i16))),
		order:  kernelOrder{ByPiece, firstInput(copiedInOrder)},
	},

	schema.BuiltinOperatorBATCH_TO_SPACE_ND: {
		memory: requests(none, 0, inOut...),
		laws: laws(counts(3, 3, 1), has(input(0), output(0)), ranks(input(0), 3, 4), ranks(output(0), 3, 4),
			alike(input(0), output(0)), later(has(input(1), input(2)), takes(input(0), f32, i8)), blocksDivide),
	},
	schema.BuiltinOperatorSPACE_TO_BATCH_ND: {
		memory: requests(none, 4, inOut...),
		laws: laws(counts(3, 3, 1), has(input(0), output(0)), ranks(input(0), 3, 4), ranks(output(0), 3, 4),
			alike(input(0), output(0)), later(has(input(1), input(2)), takes(input(0), f32, i8)), blocksDivide),
	},
	schema.BuiltinOperatorDEPTH_TO_SPACE: {
		memory: requests(same(4, 4), 0, in(0), out(0), copyOfOut),
		laws:   laws(unary, ranks(input(0), 4, 4), ranks(output(0), 4, 4), takes(input(0), f32, i8), alike(input(0), output(0)), blockSize),
		order:  kernelOrder{ByElement, toSpace},
	},
	schema.BuiltinOperatorSPACE_TO_DEPTH: {
		memory: requests(same(4, 4), 0, in(0), out(0), copyOfOut),
		laws:   laws(unary, ranks(input(0), 4, 4), ranks(output(0), 4, 4), takes(input(0), f32, i8), alike(input(0), output(0)), blockSize),
		order:  kernelOrder{ByElement, toDepth},
	},
	schema.BuiltinOperatorBROADCAST_ARGS: {
		memory: requests(none, 0, inInOut...),
		laws: laws(counts(2, 2, 1), twoIn, takes(input(0), i32, i64), alike(input(0), input(1), output(0)),
			ranks(input(0), 1, 1), ranks(input(1), 1, 1), ranks(output(0), 1, 1)),
	},
	schema.BuiltinOperatorBROADCAST_TO: {
		memory: requests(none, 0, inInOut...),
		laws: laws(counts(2, 2, 1), twoIn, ranks(input(0), 0, 5), ranks(output(0), 0, 5), alike(input(0), output(0)),
			takes(input(1), i32, i64), ranks(input(1), 1, 1), constant(input(1), "shape"), shapeIs(input(1)), spreads),
	},
	schema.BuiltinOperatorCONCATENATION: {
		memory: &demand{
			options: same(8, 4), init: []ask{data(24, 80)}, prepare: []ask{in(0), out(0), inputs(0)},
		},
		laws:    concatenation,
		sharing: Joining,
		order:   kernelOrder{ByPiece, concatenated},
	},
	schema.BuiltinOperatorDYNAMIC_UPDATE_SLICE: {
		memory: requests(none, 0, in(0, 1, 2), out(0)),
		laws: laws(counts(3, 3, 1), has(input(0), input(1), input(2), output(0)),
			alike(input(0), input(1)), takes(input(2), i32, i64), updated, later(takes(input(0), f32, i8, i16, i32))),
		sharing: Copying,
	},
	schema.BuiltinOperatorEMBEDDING_LOOKUP: {
		memory: requests(none, 0, in(0, 1), out(0), reads(Type), copyOfOut, reads(Freed), data(8, 16)),
		laws: laws(counts(2, 2, 1), twoIn, ranks(input(0), 1, 1), takes(input(0), i32), ranks(input(1), 2, 8),
			takes(input(1), f32, i8), embedded, lookedUp),
	},
	schema.BuiltinOperatorEXPAND_DIMS: {
		memory:  requests(none, 0, inInOut...),
		laws:    laws(counts(2, 2, 1), twoIn, constant(input(1), "axis"), takes(input(1), i32), ranks(input(1), 0, 1), elements(input(1), 1), expanded, later(takes(input(0), f32, i8, i16))),
		sharing: Copying,
	},
	schema.BuiltinOperatorFILL: {
		memory: requests(none, 0, inInOut...),
		laws: laws(twoIn, ranks(input(0), 1, 1), constant(input(0), "shape"), takes(input(0), i8, i16, i32, i64), shapeIs(input(0)), oneElement(input(1)),
			alike(input(1), output(0)), later(takes(input(1), f32, i32, i8))),
	},
	schema.BuiltinOperatorGATHER: {
		memory: requests(same(8, 4), 0, in(0, 1), out(0), copyOfOut),
		laws:   laws(counts(2, 2, 1), twoIn, takes(input(1), i32), takes(input(0), f32, i8), gathered),
	},
	schema.BuiltinOperatorGATHER_ND: {
		memory: requests(none, 0, in(0, 1), out(0), copyOfOut),
		laws: laws(counts(2, 2, 1), twoIn, takes(input(0), f32, i8), takes(input(1), i32),
			ranks(input(0), 1, 8), ranks(input(1), 1, 8), indexed),
	},
	schema.BuiltinOperatorMIRROR_PAD: {
		memory: requests(short(4, 4, 1, 1), 20, in(0, 1), out(0), dims, dims),
		laws:   laws(twoIn, mirrored, later(takes(input(0), f32, i8))),
		order:  kernelOrder{ByElement, firstInput(mirroredInOrder)},
	},
	schema.BuiltinOperatorPAD:   {memory: requests(none, 56, in(0, 1, 2), out(0)), laws: padding, sharing: Padding, order: kernelOrder{ByElement, firstInput(inOrder)}},
	schema.BuiltinOperatorPADV2: {memory: requests(none, 56, in(0, 1, 2), out(0)), laws: padding, sharing: Padding, order: kernelOrder{ByElement, firstInput(inOrder)}},
	schema.BuiltinOperatorPACK: {
		memory: requests(same(8, 4), 0),
		laws:   laws(later(has(input(0), output(0)), packed, takes(output(0), f32, i8, i16, i32, i64))),
		order:  kernelOrder{ByElement, packedInOrder},
	},
	schema.BuiltinOperatorUNPACK: {
		memory: requests(same(8, 4), 0),
		laws:   laws(later(has(input(0), output(0)), takes(input(0), f32, i32, i16, i8))),
		order:  kernelOrder{ByElement, unpacked},
	},
	schema.BuiltinOperatorRESHAPE: {
		memory:  requests(same(36, 4), 0, in(0), out(0), where(open, copyOfOut)),
		laws:    laws(counts(1, 2, 1), has(input(0), output(0)), alike(input(0), output(0)), reshaped),
		sharing: Copying,
	},
	schema.BuiltinOperatorREVERSE_V2: {
		memory: requests(none, 0, inInOut...),
		laws: laws(counts(2, 2, 1), twoIn, ranks(input(0), 1, 8), ranks(input(1), 1, 1), takes(input(1), i32),
			alike(input(0), output(0)), later(axisWithin(input(1), input(0)), contiguous, takes(input(0), f32, i32, u8, i8, i16, i64, boolean))),
	},
	schema.BuiltinOperatorSELECT_V2: {
		memory: requests(none, 1, in(0, 1, 2), out(0)),
		laws: laws(counts(3, 3, 1), has(input(0), input(1), input(2), output(0)), takes(input(0), boolean),
			alike(input(1), input(2)), selected, later(takes(input(1), f32, i8, i16))),
		order: kernelOrder{ByElement, chosen},
	},
	schema.BuiltinOperatorSHAPE: {memory: requests(short(4, 4, 1, 1), 0), laws: laws(counts(1, 1, 1), later(has(input(0)), takes(output(0), i32)))},
	schema.BuiltinOperatorSLICE: {
		memory: requests(none, 0, in(0, 1, 2), out(0)),
		laws: laws(counts(3, 3, 1), has(input(0), input(1), input(2), output(0)), later(takes(input(1), i32, i64),
			takes(input(0), f32, i32, i8, i16, boolean))),
		sharing: Taking,
		order:   kernelOrder{ByElement, firstInput(inOrder)},
	},
	schema.BuiltinOperatorSPLIT: {
		memory: requests(same(4, 4), 0, in(0)),
		laws:   laws(has(input(0)), constant(input(0), "axis"), later(has(input(1)), axisWithin(input(0), input(1)), takes(input(1), f32, i8, i16, i32))),
		order:  kernelOrder{ByElement, taken(1)},
	},
	schema.BuiltinOperatorSPLIT_V: {
		memory: requests(same(4, 4), 0, in(2)),
		laws: laws(counts(3, 3, -1), has(input(2)), constant(input(2), "axis"),
			later(has(input(0)), axisWithin(input(2), input(0)), takes(input(0), f32, i8, i16, i32))),
		order: kernelOrder{ByElement, firstInput(taken(0))},
	},
	schema.BuiltinOperatorSQUEEZE: {
		memory:  requests(same(36, 4), 0, inOut...),
		laws:    laws(unary, ranks(input(0), 0, 8), squeezed, later(sameBytes(input(0), output(0)))),
		sharing: Copying,
	},
	schema.BuiltinOperatorSTRIDED_SLICE: {
		memory: requests(same(24, 4), 84, in(0, 1, 2, 3), out(0)),
		laws: laws(counts(4, 4, 1), has(input(0), input(1), input(2), input(3), output(0)), ranks(input(0), 0, 4),
			constant(input(1), "begin"), constant(input(2), "end"), constant(input(3), "strides"), sliced, later(takes(output(0), f32, i8, i16, i32, boolean))),
		sharing: Taking,
		order:   kernelOrder{ByPiece, firstInput(copiedInOrder)},
	},
	schema.BuiltinOperatorTRANSPOSE: {
		memory: requests(none, 0, inInOut...),
		laws: laws(counts(2, 2, 1), twoIn, ranks(input(0), 0, 5), alike(input(0), output(0)),
			constant(input(1), "perm"), permuted, later(takes(input(0), f32, i8, i16))),
		order: kernelOrder{ByElement, firstInput(inOrder)},
	},
	schema.BuiltinOperatorZEROS_LIKE: {memory: requests(none, 0, inOut...), laws: laws(unary, later(takes(input(0), f32, i8, i32, i64)))},

	schema.BuiltinOperatorCAST: {
		memory:  requests(short(8, 4, 2, 1), 0, inOut...),
		laws:    laws(unary, later(takes(input(0), f32, i8, i16, i32, u32, boolean), takes(output(0), f32, i8, i16, i32, u32, boolean))),
		sharing: Computing,
		order:   byElement,
	},
	schema.BuiltinOperatorDEQUANTIZE: {
		memory: requests(none, 32, inOut...),
		laws: laws(unary, takes(input(0), i8, i16, u8),
			takes(output(0), f32)),
		sharing: Computing,
		order:   byElement,
	},
	schema.BuiltinOperatorQUANTIZE: {
		memory: requests(none, 32, inOut...),
		laws: laws(unary, takes(input(0), f32, i8, i16, i32, u8), takes(output(0), i8, i16, i32, u8),
			oneScaleOnly(output(0)), later(pairs(input(0), output(0), pair{f32, i8}, pair{f32, i16}, pair{i32, i8}, pair{i32, i16},
				pair{i16, i8}, pair{i16, i16}, pair{i16, i32}, pair{i8, i8}, pair{i8, u8}, pair{i8, i16}, pair{i8, i32}, pair{u8, i8}))),
		sharing: Computing,
		order:   byElement,
	},

	schema.BuiltinOperatorIF:         {memory: requests(same(8, 4), 8, in(0)), laws: branch, sharing: Branching},
	schema.BuiltinOperatorWHILE:      {memory: requests(same(8, 4), 8), laws: loop},
	schema.BuiltinOperatorCALL_ONCE:  {memory: requests(same(4, 4), 8), laws: once},
	schema.BuiltinOperatorVAR_HANDLE: {memory: requests([abis]block{{8, 4}, {8, 4}, {16, 8}}, 4), laws: []law{has(output(0))}},
	schema.BuiltinOperatorREAD_VARIABLE: {
		memory: requests(none, 0, in(0)),
		laws:   laws(counts(1, 1, 1), has(input(0)), takes(input(0), schema.TensorTypeRESOURCE, i32)),
	},
	schema.BuiltinOperatorASSIGN_VARIABLE: {
		memory: &demand{
			init: []ask{whereWide(keep(fixed(4)))}, prepare: []ask{in(1), assignment},
		},
		laws: laws(counts(2, 2, 0), binaryIn, takes(input(0), schema.TensorTypeRESOURCE, i32)),
	},
}
