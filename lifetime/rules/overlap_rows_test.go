package rules_test

import (
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
)

func drawConnected(d drawing) *trial {
	in := d.tensor([]int32{d.some(1, 6), d.some(1, 12)})
	units := d.some(1, 12)
	out := summed(in, in.shape[1], in.shape[0], units)
	t := &trial{
		code: schema.BuiltinOperatorFULLY_CONNECTED, tag: schema.BuiltinOptionsFullyConnectedOptions, options: []any{nil},
		in: []operand{in, d.weights(in, units, in.shape[1])}, out: []operand{out},
	}
	indexes(out.shape, func(o []int32) {
		var reads []int64
		for c := range in.shape[1] {
			reads = append(reads, in.at(o[0], c))
		}
		t.element(reads, o...)
	})
	return t
}

// drawProduct draws a BATCH_MATMUL with optionally transposed operands. The kernel reads those
// that it has to transpose before it writes anything.
func drawProduct(d drawing) *trial {
	rows, depth, columns := d.some(1, 5), d.some(1, 6), d.some(1, 5)
	adjX, adjY := d.chance(), d.chance()
	batch := d.shape(2, 3)
	spread := slices.Clone(batch) // a dimension of 1 is broadcast
	if d.chance() {
		spread[0] = 1
	}
	shape := func(batch []int32, rows, columns int32, turned bool) []int32 {
		if turned {
			rows, columns = columns, rows
		}
		return append(slices.Clone(batch), rows, columns)
	}
	x := d.tensor(shape(spread, rows, depth, adjX))
	y := x.shaped(shape(batch, depth, columns, adjY)...)
	out := summed(x, depth, shape(batch, rows, columns, false)...)
	if x.kind == schema.TensorTypeINT16 {
		out.scale = 0.05 * 0.05 * 0.01 * math.Sqrt(float64(depth))
	} else {
		out = out.scaled(out.scale*2.5, 0)
	}
	t := &trial{
		code: schema.BuiltinOperatorBATCH_MATMUL, tag: schema.BuiltinOptionsBatchMatMulOptions, options: []any{adjX, adjY},
		in: []operand{x, y}, out: []operand{out}, from: d.IntN(2),
	}
	if in := t.in[t.from]; t.from == 0 && adjX || t.from == 1 && !adjY {
		t.bodies = append(t.bodies, body{})
		indexes(in.shape, func(i []int32) { t.bodies[0].reads = append(t.bodies[0].reads, in.at(i...)) })
		t.bodies = append(t.bodies, body{end: out.bytes()})
		return t
	}
	indexes(out.shape, func(o []int32) {
		var reads []int64
		for k := range depth {
			if t.from == 0 {
				reads = append(reads, x.at(min(o[0], spread[0]-1), o[1], o[2], k))
			} else {
				reads = append(reads, y.at(o[0], o[1], o[3], k))
			}
		}
		t.element(reads, o...)
	})
	return t
}

// drawRows draws a kernel that reads a whole row before it writes it, and again at each of its
// elements.
func drawRows(d drawing) *trial {
	in := d.tensor([]int32{d.some(1, 5), d.some(2, 12)})
	out := in
	t := &trial{}
	switch d.IntN(3) {
	case 0:
		t.code, t.tag, t.options = schema.BuiltinOperatorSOFTMAX, schema.BuiltinOptionsSoftmaxOptions, []any{float32(1)}
		switch {
		case in.kind == schema.TensorTypeINT8 && d.chance():
			out.kind = schema.TensorTypeINT16
			out = out.scaled(1./65536, -32768)
		case in.kind == schema.TensorTypeINT8:
			out = out.scaled(1./256, -128)
		default:
			out = out.scaled(1./32768, 0)
		}
	case 1:
		t.code, out = schema.BuiltinOperatorLOG_SOFTMAX, out.scaled(16./256, 127)
	case 2:
		t.code, out = schema.BuiltinOperatorL2_NORMALIZATION, out.scaled(1./128, 0)
		t.tag, t.options = schema.BuiltinOptionsL2NormOptions, []any{nil}
	}
	t.in, t.out = []operand{in}, []operand{out}
	indexes(out.shape, func(o []int32) {
		reads := []int64{in.at(o...)}
		if o[1] == 0 {
			for c := range in.shape[1] {
				reads = append(reads, in.at(o[0], c))
			}
		}
		t.element(reads, o...)
	})
	return t
}

// drawArgument draws an ARG_MAX or an ARG_MIN.
func drawArgument(d drawing) *trial {
	in := d.tensor(d.shape(int(d.some(2, 4)), 6), f32, i8)
	axis := d.IntN(len(in.shape))
	out := operand{kind: i32, shape: slices.Delete(slices.Clone(in.shape), axis, axis+1)}
	t := &trial{
		code: schema.BuiltinOperatorARG_MAX, tag: schema.BuiltinOptionsArgMaxOptions, options: []any{int32(2)}, // INT32
		in: []operand{in, numbers([]int32{}, int32(axis))}, out: []operand{out},
		faint: true, // another maximum may have the same index
	}
	if d.chance() {
		t.code, t.tag = schema.BuiltinOperatorARG_MIN, schema.BuiltinOptionsArgMinOptions
	}
	indexes(out.shape, func(o []int32) {
		var reads []int64
		for i := range in.shape[axis] {
			reads = append(reads, in.at(slices.Insert(slices.Clone(o), axis, i)...))
		}
		t.element(reads, o...)
	})
	return t
}
