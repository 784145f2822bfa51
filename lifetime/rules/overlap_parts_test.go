package rules_test

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
)

// drawCut draws a SLICE or a STRIDED_SLICE, which copies adjacent elements at once.
func drawCut(d drawing) *trial {
	in := d.tensor(append(d.shape(int(d.some(0, 3)), 6), d.some(1, 30)))
	rank := len(in.shape)
	out := in.shaped()
	var begin, end, step []int32
	strided := d.chance()
	for _, n := range in.shape {
		from, by := d.some(0, n-1), int32(1)
		to := d.some(from+1, n)
		if strided {
			by = d.some(1, 3)
		}
		if out.shape = append(out.shape, (to-from+by-1)/by); strided && d.IntN(4) == 0 { // backwards
			from, to, by = to-1, from-1, -by
			if to < 0 {
				to -= n
			}
		}
		begin, end, step = append(begin, from), append(end, to), append(step, by)
	}
	shape := []int32{int32(rank)}
	t := &trial{copies: true, code: schema.BuiltinOperatorSLICE, in: []operand{in, numbers(shape, begin...), numbers(shape, out.shape...)}, out: []operand{out}}
	if strided {
		t.code, t.tag, t.options = schema.BuiltinOperatorSTRIDED_SLICE, schema.BuiltinOptionsStridedSliceOptions, []any{nil}
		t.in = []operand{in, numbers(shape, begin...), numbers(shape, end...), numbers(shape, step...)}
	}
	indexes(out.shape[:rank-1], func(o []int32) {
		i := slices.Clone(o)
		for axis := range o {
			i[axis] = begin[axis] + o[axis]*step[axis]
		}
		from, to := in.at(append(i, begin[rank-1])...), out.at(append(o[:rank-1:rank-1], 0)...)
		n, width := int64(out.shape[rank-1]), in.width()
		if strided && step[rank-1] == 1 {
			t.piece(from, n*width, to)
			return
		}
		for k := range n {
			t.piece(from+k*int64(step[rank-1])*width, width, to+k*width)
		}
	})
	return t
}

// sides are the sizes of a tensor before and after an axis, in elements.
func sides(o operand, axis int) (outer, inner int64) {
	outer, inner = 1, 1
	for i, d := range o.shape {
		if i < axis {
			outer *= int64(d)
		} else if i > axis {
			inner *= int64(d)
		}
	}
	return outer, inner
}

func drawConcatenation(d drawing) *trial {
	one := d.tensor(d.shape(int(d.some(1, 4)), 5))
	axis := d.IntN(len(one.shape))
	out := one.shaped(slices.Clone(one.shape)...)
	t := &trial{copies: true, code: schema.BuiltinOperatorCONCATENATION, tag: schema.BuiltinOptionsConcatenationOptions, options: []any{int32(axis)}}
	out.shape[axis] = 0
	for range d.some(1, 4) {
		in := one.shaped(slices.Clone(one.shape)...)
		in.shape[axis] = d.some(1, 5)
		out.shape[axis] += in.shape[axis]
		t.in = append(t.in, in)
	}
	t.out, t.from = []operand{out}, d.IntN(len(t.in))
	outer, inner := sides(out, axis)
	to := int64(0)
	for k := range outer {
		for i, in := range t.in {
			bytes := int64(in.shape[axis]) * inner * in.width()
			if i == t.from {
				t.piece(k*bytes, bytes, to)
			} else {
				t.bodies = append(t.bodies, body{first: to, end: to + bytes})
			}
			to += bytes
		}
	}
	return t
}

// drawSplit draws a SPLIT or a SPLIT_V.
func drawSplit(d drawing) *trial {
	in := d.tensor(d.shape(int(d.some(1, 4)), 5), schema.TensorTypeFLOAT32, schema.TensorTypeINT8)
	axis, parts := d.IntN(len(in.shape)), d.some(2, 4)
	sizes := make([]int32, parts)
	in.shape[axis] = 0
	even, size := d.chance(), d.some(1, 4)
	t := &trial{copies: true, to: d.IntN(int(parts))}
	for i := range sizes {
		if sizes[i] = d.some(1, 4); even {
			sizes[i] = size
		}
		in.shape[axis] += sizes[i]
	}
	for _, n := range sizes {
		out := in.shaped(slices.Clone(in.shape)...)
		out.shape[axis] = n
		t.out = append(t.out, out)
	}
	where := numbers([]int32{}, int32(axis))
	if t.code, t.tag, t.from, t.in = schema.BuiltinOperatorSPLIT, schema.BuiltinOptionsSplitOptions, 1, []operand{where, in}; !even {
		t.code, t.tag, t.from, t.in = schema.BuiltinOperatorSPLIT_V, schema.BuiltinOptionsSplitVOptions, 0, []operand{in, numbers([]int32{parts}, sizes...), where}
	}
	t.options = []any{parts}
	outer, inner := sides(in, axis)
	from := int64(0)
	for k := range outer {
		for i, n := range sizes {
			t.share(i, from, int64(n)*inner*in.width(), k)
			from += int64(n) * inner * in.width()
		}
	}
	return t
}

// share adds the copy of some bytes, element by element, to output output, as its piece at an
// index.
func (x *trial) share(output int, from, bytes, index int64) {
	width := x.in[x.from].width()
	for i := int64(0); i < bytes; i += width {
		b := body{reads: []int64{from + i}, first: index*bytes + i, end: index*bytes + i + width}
		if output != x.to {
			b.first, b.end = 0, 0
		}
		x.bodies = append(x.bodies, b)
	}
}

// drawStack draws a PACK, which reads one input after another, or an UNPACK, which writes one
// output after another.
func drawStack(d drawing) *trial {
	one := d.tensor(d.shape(int(d.some(1, 3)), 5), schema.TensorTypeFLOAT32, schema.TensorTypeINT8)
	axis, count := d.IntN(len(one.shape)+1), int(d.some(2, 4))
	all := one.shaped(slices.Insert(slices.Clone(one.shape), axis, int32(count))...)
	outer, inner := sides(all, axis)
	piece := inner * one.width()
	which := d.IntN(count)
	if d.chance() {
		t := &trial{copies: true, code: schema.BuiltinOperatorPACK, tag: schema.BuiltinOptionsPackOptions, options: []any{int32(count), int32(axis)}, in: repeated(one, count), out: []operand{all}, from: which}
		for i := range count {
			for k := range outer {
				to := (k*int64(count) + int64(i)) * piece
				if i != which {
					t.bodies = append(t.bodies, body{first: to, end: to + piece})
					continue
				}
				for e := int64(0); e < piece; e += one.width() {
					t.bodies = append(t.bodies, body{reads: []int64{k*piece + e}, first: to + e, end: to + e + one.width()})
				}
			}
		}
		return t
	}
	t := &trial{copies: true, code: schema.BuiltinOperatorUNPACK, tag: schema.BuiltinOptionsUnpackOptions, options: []any{int32(count), int32(axis)}, in: []operand{all}, out: repeated(one, count), to: which}
	for i := range count {
		for k := range outer {
			t.share(i, (k*int64(count)+int64(i))*piece, piece, k)
		}
	}
	return t
}

func repeated(o operand, count int) (list []operand) {
	for range count {
		list = append(list, o)
	}
	return list
}
