package rules_test

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
)

func drawPad(d drawing) *trial {
	in := d.tensor(d.shape(int(d.some(1, 4)), 5))
	var pads []int32
	out := in.shaped()
	for _, n := range in.shape {
		before, behind := d.some(0, 2), d.some(0, 2)
		pads, out.shape = append(pads, before, behind), append(out.shape, n+before+behind)
	}
	t := &trial{
		copies: true, code: schema.BuiltinOperatorPAD, tag: schema.BuiltinOptionsPadOptions,
		in: []operand{in, numbers([]int32{int32(len(in.shape)), 2}, pads...)}, out: []operand{out},
	}
	if d.chance() {
		t.code, t.tag = schema.BuiltinOperatorPADV2, schema.BuiltinOptionsPadV2Options
		t.in = append(t.in, operand{kind: in.kind, shape: []int32{}, scale: in.scale, drawn: true})
	}
	indexes(out.shape, func(o []int32) {
		i, inside := slices.Clone(o), true
		for axis := range o {
			i[axis] -= pads[2*axis]
			inside = inside && i[axis] >= 0 && i[axis] < in.shape[axis]
		}
		if !inside {
			t.element(nil, o...)
			return
		}
		t.element([]int64{in.at(i...)}, o...)
	})
	return t
}

func drawMirror(d drawing) *trial {
	in := d.tensor(d.shape(int(d.some(1, 4)), 5), schema.TensorTypeFLOAT32, schema.TensorTypeINT8)
	edge := int32(d.IntN(2)) // number of elements at the edge that are not repeated
	t := &trial{
		copies: true, code: schema.BuiltinOperatorMIRROR_PAD, tag: schema.BuiltinOptionsMirrorPadOptions,
		options: []any{map[int32]schema.MirrorPadMode{1: schema.MirrorPadModeREFLECT, 0: schema.MirrorPadModeSYMMETRIC}[edge]},
	}
	var pads []int32
	var from [][]int32 // along each axis, the input element of each output element
	out := in.shaped()
	for _, n := range in.shape {
		before, behind := d.some(0, min(2, n-edge)), d.some(0, min(2, n-edge))
		pads, out.shape = append(pads, before, behind), append(out.shape, n+before+behind)
		var list []int32
		for i := range before {
			list = append(list, before-1-i+edge)
		}
		for i := range n {
			list = append(list, i)
		}
		for i := range behind {
			list = append(list, n-1-edge-i)
		}
		from = append(from, list)
	}
	t.in, t.out = []operand{in, numbers([]int32{int32(len(in.shape)), 2}, pads...)}, []operand{out}
	indexes(out.shape, func(o []int32) {
		i := slices.Clone(o)
		for axis := range o {
			i[axis] = from[axis][o[axis]]
		}
		t.element([]int64{in.at(i...)}, o...)
	})
	return t
}

func drawTranspose(d drawing) *trial {
	in := d.tensor(d.shape(int(d.some(2, 4)), 6))
	out := in.shaped()
	var order []int32
	for _, axis := range d.Perm(len(in.shape)) {
		order, out.shape = append(order, int32(axis)), append(out.shape, in.shape[axis])
	}
	t := &trial{code: schema.BuiltinOperatorTRANSPOSE, copies: true, in: []operand{in, numbers([]int32{int32(len(order))}, order...)}, out: []operand{out}}
	indexes(out.shape, func(o []int32) {
		i := slices.Clone(o)
		for axis, of := range order {
			i[of] = o[axis]
		}
		t.element([]int64{in.at(i...)}, o...)
	})
	return t
}

// drawBlocks draws a SPACE_TO_DEPTH, which iterates over its input, or a DEPTH_TO_SPACE, which
// iterates over its output: over the larger image each.
func drawBlocks(d drawing) *trial {
	n, c := d.some(1, 3), d.some(1, 4)
	small := d.tensor([]int32{d.some(1, 2), d.some(1, 4), d.some(1, 4), c * n * n}, schema.TensorTypeFLOAT32, schema.TensorTypeINT8)
	large := small.shaped(small.shape[0], small.shape[1]*n, small.shape[2]*n, c)
	t := &trial{code: schema.BuiltinOperatorSPACE_TO_DEPTH, copies: true, tag: schema.BuiltinOptionsSpaceToDepthOptions, options: []any{n}, in: []operand{large}, out: []operand{small}}
	deep := d.chance()
	if deep {
		t.code, t.tag, t.in, t.out = schema.BuiltinOperatorDEPTH_TO_SPACE, schema.BuiltinOptionsDepthToSpaceOptions, t.out, t.in
	}
	indexes(large.shape, func(i []int32) {
		s := []int32{i[0], i[1] / n, i[2] / n, (i[1]%n*n+i[2]%n)*c + i[3]}
		if deep {
			t.element([]int64{small.at(s...)}, i...)
		} else {
			t.element([]int64{large.at(i...)}, s...)
		}
	})
	return t
}

// drawEnlarged draws an image enlarged by integer factors; each output element reads the lowest
// input element that package op gives.
func drawEnlarged(d drawing) *trial {
	in := d.tensor([]int32{d.some(1, 2), d.some(1, 4), d.some(1, 4), d.some(1, 4)}, schema.TensorTypeFLOAT32, schema.TensorTypeINT8)
	y, x := int32(1)<<d.IntN(3), int32(1)<<d.IntN(3)
	out := in.shaped(in.shape[0], in.shape[1]*y, in.shape[2]*x, in.shape[3])
	t := &trial{in: []operand{in, numbers([]int32{2}, out.shape[1], out.shape[2])}, out: []operand{out}}
	if d.chance() {
		t.copies = true
		t.code, t.tag, t.options = schema.BuiltinOperatorRESIZE_NEAREST_NEIGHBOR, schema.BuiltinOptionsResizeNearestNeighborOptions, []any{false, d.chance()}
		indexes(out.shape[:3], func(o []int32) {
			t.piece(in.at(o[0], o[1]/y, o[2]/x, 0), int64(in.shape[3])*in.width(), out.at(o[0], o[1], o[2], 0))
		})
		return t
	}
	half := d.chance()
	t.faint = true // some elements are copies
	t.code, t.tag, t.options = schema.BuiltinOperatorRESIZE_BILINEAR, schema.BuiltinOptionsResizeBilinearOptions, []any{nil, nil, false, half}
	first := func(o, factor int32) int32 {
		if half {
			return max((2*o+1-factor)/(2*factor), 0) // the numerator of a negative position is small enough to become 0
		}
		return o / factor
	}
	indexes(out.shape, func(o []int32) {
		top, left := first(o[1], y), first(o[2], x)
		var reads []int64
		for _, row := range []int32{top, min(top+1, in.shape[1]-1)} {
			for _, column := range []int32{left, min(left+1, in.shape[2]-1)} {
				reads = append(reads, in.at(o[0], row, column, o[3]))
			}
		}
		t.element(reads, o...)
	})
	return t
}

// piece adds a body that copies bytes at once. They must not overlap themselves, unless they
// are one element.
func (x *trial) piece(from, bytes, to int64) {
	width := x.in[x.from].width()
	b := body{first: to, end: to + bytes, piece: bytes > width}
	for i := int64(0); i < bytes; i += width {
		b.reads = append(b.reads, from+i)
	}
	x.bodies = append(x.bodies, b)
}
