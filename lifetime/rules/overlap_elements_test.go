package rules_test

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
)

const (
	f32, i8, i16, i32, flag = schema.TensorTypeFLOAT32, schema.TensorTypeINT8, schema.TensorTypeINT16, schema.TensorTypeINT32, schema.TensorTypeBOOL
)

// draws are the kinds of trials, used in turn.
var draws = []func(drawing) *trial{
	drawConv, drawDepthwise, drawPool, drawUnary, drawConcatenation, drawPad, drawWidth, drawBinary, drawConnected, drawSpread,
	drawConv, drawDepthwise, drawPool, drawProduct, drawRows, drawMirror, drawTranspose, drawBlocks, drawEnlarged, drawCut,
	drawSplit, drawStack, drawBinary, drawComparison, drawChoice, drawArgument,
}

// drawUnary draws an operator of one input, of the same type as its output.
func drawUnary(d drawing) *trial {
	kinds := map[schema.BuiltinOperator][]schema.TensorType{
		schema.BuiltinOperatorABS: {f32, i8}, schema.BuiltinOperatorCEIL: {f32}, schema.BuiltinOperatorCOS: {f32}, schema.BuiltinOperatorELU: {f32, i8},
		schema.BuiltinOperatorEXP: {f32}, schema.BuiltinOperatorFLOOR: {f32}, schema.BuiltinOperatorHARD_SWISH: {f32, i8}, schema.BuiltinOperatorLEAKY_RELU: {f32, i8, i16},
		schema.BuiltinOperatorLOGISTIC: {f32, i8, i16}, schema.BuiltinOperatorNEG: {f32}, schema.BuiltinOperatorRELU: {f32, i8}, schema.BuiltinOperatorRELU6: {f32, i8},
		schema.BuiltinOperatorROUND: {f32}, schema.BuiltinOperatorSIN: {f32}, schema.BuiltinOperatorSQUARE: {f32}, schema.BuiltinOperatorLOG: {f32}, schema.BuiltinOperatorSQRT: {f32}, schema.BuiltinOperatorRSQRT: {f32}, schema.BuiltinOperatorTANH: {f32, i8, i16}, schema.BuiltinOperatorLOGICAL_NOT: {flag},
	}
	codes := codesOf(kinds)
	t := &trial{code: codes[d.IntN(len(codes))]}
	in := d.tensor([]int32{d.some(2, 60)}, kinds[t.code]...)
	out := in
	switch t.code {
	case schema.BuiltinOperatorLOGISTIC:
		if out = out.scaled(1./256, -128); in.kind == i16 {
			out = out.scaled(1./32768, 0)
		}
	case schema.BuiltinOperatorTANH:
		if out = out.scaled(1./128, 0); in.kind == i16 {
			out = out.scaled(1./32768, 0)
		}
	case schema.BuiltinOperatorLEAKY_RELU:
		t.tag, t.options = schema.BuiltinOptionsLeakyReluOptions, []any{float32(0.5)}
	}
	t.in, t.out = []operand{in}, []operand{out}
	return t.inPlace()
}

func codesOf[V any](m map[schema.BuiltinOperator]V) (codes []schema.BuiltinOperator) {
	for code := range m {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	return codes
}

// drawWidth draws an operator whose output has elements of another width.
func drawWidth(d drawing) *trial {
	pairs := map[schema.BuiltinOperator][][2]schema.TensorType{
		schema.BuiltinOperatorQUANTIZE:   {{f32, i8}, {f32, i16}, {i8, i16}, {i16, i8}, {i8, i32}, {i16, i32}, {i8, i8}},
		schema.BuiltinOperatorDEQUANTIZE: {{i8, f32}, {i16, f32}},
		schema.BuiltinOperatorCAST:       {{i8, f32}, {i8, i32}, {f32, i8}, {i16, f32}, {i32, i8}, {i8, i16}, {i32, f32}},
	}
	codes := codesOf(pairs)
	code := codes[d.IntN(len(codes))]
	kinds := pairs[code][d.IntN(len(pairs[code]))]
	in := d.tensor([]int32{d.some(2, 60)}, kinds[0])
	out := d.tensor(in.shape, kinds[1])
	if code == schema.BuiltinOperatorQUANTIZE {
		out = out.scaled(0.01, 0)
		if out.kind == i32 {
			out.scale = 0.01
		}
	}
	t := &trial{code: code, in: []operand{in}, out: []operand{out}}
	return t.inPlace()
}

// drawBinary draws an operator of two inputs, one of which may be broadcast.
func drawBinary(d drawing) *trial {
	kinds := map[schema.BuiltinOperator][]schema.TensorType{
		schema.BuiltinOperatorADD: {f32, i8, i16, i32}, schema.BuiltinOperatorSUB: {f32, i8, i16}, schema.BuiltinOperatorMUL: {f32, i8, i16, i32}, schema.BuiltinOperatorDIV: {f32, i8},
		schema.BuiltinOperatorMAXIMUM: {f32, i8, i32}, schema.BuiltinOperatorMINIMUM: {f32, i8, i32}, schema.BuiltinOperatorSQUARED_DIFFERENCE: {f32, i8},
		schema.BuiltinOperatorFLOOR_DIV: {f32}, schema.BuiltinOperatorFLOOR_MOD: {f32}, schema.BuiltinOperatorLOGICAL_AND: {flag}, schema.BuiltinOperatorLOGICAL_OR: {flag},
		schema.BuiltinOperatorPRELU: {f32, i8}, schema.BuiltinOperatorADD_N: {f32, i8},
	}
	tags := map[schema.BuiltinOperator]schema.BuiltinOptions{
		schema.BuiltinOperatorADD: schema.BuiltinOptionsAddOptions, schema.BuiltinOperatorSUB: schema.BuiltinOptionsSubOptions,
		schema.BuiltinOperatorMUL: schema.BuiltinOptionsMulOptions, schema.BuiltinOperatorDIV: schema.BuiltinOptionsDivOptions,
	}
	codes := codesOf(kinds)
	t := &trial{code: codes[d.IntN(len(codes))], from: d.IntN(2)}
	t.tag, t.options = tags[t.code], []any{nil}
	x := d.tensor(d.shape(4, 5), kinds[t.code]...)
	t.in = []operand{x, x}
	if d.chance() && t.code != schema.BuiltinOperatorADD_N {
		t.in[1] = x.shaped(d.flattened(x.shape)...)
	}
	out := x.scaled(0.1, 0)
	if t.code == schema.BuiltinOperatorADD || t.code == schema.BuiltinOperatorSUB {
		out = x.scaled(0.06, 0)
	}
	if t.in[0].kind == i16 {
		out = x.scaled(0.001, 0)
	}
	t.out = []operand{out}
	return t.inPlace()
}

// flattened is a shape with some dimensions set to 1.
func (d drawing) flattened(shape []int32) []int32 {
	shape = slices.Clone(shape)
	for i := range shape {
		if d.chance() {
			shape[i] = 1
		}
	}
	return shape
}

func drawComparison(d drawing) *trial {
	codes := []schema.BuiltinOperator{
		schema.BuiltinOperatorEQUAL, schema.BuiltinOperatorNOT_EQUAL, schema.BuiltinOperatorLESS, schema.BuiltinOperatorLESS_EQUAL, schema.BuiltinOperatorGREATER, schema.BuiltinOperatorGREATER_EQUAL,
	}
	x := d.tensor(d.shape(4, 5), f32, i8, i32)
	t := &trial{code: codes[d.IntN(len(codes))], from: d.IntN(2), in: []operand{x, x}, out: []operand{{kind: flag, shape: x.shape}}}
	if d.chance() {
		t.in[1].shape = d.flattened(x.shape)
	}
	return t.inPlace()
}

// drawChoice draws a SELECT_V2, which may copy at once if an operand is broadcast.
func drawChoice(d drawing) *trial {
	x := d.tensor(d.shape(4, 5), f32, i8, i16, i32)
	t := &trial{code: schema.BuiltinOperatorSELECT_V2, from: d.IntN(3), in: []operand{{kind: flag, shape: x.shape}, x, x}, out: []operand{x}}
	if d.chance() {
		i := d.IntN(3)
		t.in[i].shape = d.flattened(x.shape)
		t.apart = !slices.Equal(t.in[i].shape, x.shape)
	}
	return t.inPlace()
}

// inPlace adds the bodies of an element-wise operator.
func (x *trial) inPlace() *trial {
	in := x.in[x.from]
	// A broadcast value may be read once. Equal floats are rare, and those up to 1 become 0.
	x.faint = !slices.Equal(in.shape, x.out[x.to].shape) || in.kind == f32 &&
		slices.Contains([]schema.BuiltinOperator{schema.BuiltinOperatorEQUAL, schema.BuiltinOperatorNOT_EQUAL, schema.BuiltinOperatorCAST}, x.code)
	indexes(x.out[x.to].shape, func(o []int32) {
		i := slices.Clone(o)
		for axis, d := range in.shape {
			i[axis] = min(i[axis], d-1)
		}
		x.element([]int64{in.at(i...)}, o...)
	})
	return x
}
