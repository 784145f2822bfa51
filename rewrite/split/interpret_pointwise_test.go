package split_test

import (
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
)

func (in *interpreter) pad(inputs []int, out int) {
	x, p := in.get(inputs[0]), in.get(inputs[1])
	shape := slices.Clone(x.shape)
	for i := range shape {
		in.must(p.data[2*i] >= 0 && p.data[2*i+1] >= 0, "negative padding %v", p.data)
		shape[i] += int32(p.data[2*i] + p.data[2*i+1])
	}
	r := newArray(shape)
	for i := range r.data {
		r.data[i] = in.zero(in.like(out))
	}
	for y := range int(x.shape[1]) {
		for at := range int(x.shape[2]) {
			for c := range int(x.shape[3]) {
				*r.at(y+int(p.data[2]), at+int(p.data[4]), c+int(p.data[6])) = *x.at(y, at, c)
			}
		}
	}
	in.set(out, r)
}

// slice is SLICE, which has a size, -1 to the end, or STRIDED_SLICE, which has an end and strides.
func (in *interpreter) slice(kind edit.Kind, inputs []int, out int) {
	x, begin, end := in.get(inputs[0]), in.get(inputs[1]).data, slices.Clone(in.get(inputs[2]).data)
	rank := len(x.shape)
	in.must(rank <= 4 && len(begin) == rank && len(end) == rank, "slice %v to %v of %v", begin, end, x.shape)
	in.must(in.like(inputs[0]) == in.like(out) || in.zero(in.like(inputs[0])) == in.zero(in.like(out)), "slice of another quantisation")
	shape, from := make([]int32, rank), [4]int{}
	for i := range shape {
		switch {
		case kind == edit.Slice && end[i] == -1:
			end[i] = float64(x.shape[i])
		case kind == edit.Slice:
			end[i] += begin[i]
		default:
			in.must(in.get(inputs[3]).data[i] == 1, "strides %v", in.get(inputs[3]).data)
		}
		in.must(0 <= begin[i] && begin[i] < end[i] && end[i] <= float64(x.shape[i]), "slice %v to %v of %v", begin, end, x.shape)
		shape[i], from[4-rank+i] = int32(end[i]-begin[i]), int(begin[i])
	}
	in.must(!slices.Equal(shape, x.shape), "a slice of everything")
	r := newArray(shape)
	part, all := r.four(), x.four()
	for b := range int(part.shape[0]) {
		for y := range int(part.shape[1]) {
			for at := range int(part.shape[2]) {
				for c := range int(part.shape[3]) {
					*part.of(b, y, at, c) = *all.of(b+from[0], y+from[1], at+from[2], c+from[3])
				}
			}
		}
	}
	in.set(out, r)
}

func (in *interpreter) concatenation(inputs []int, out, axis int) {
	shape := slices.Clone(in.get(inputs[0]).shape)
	shape[axis] = 0
	for _, i := range inputs {
		other := slices.Clone(in.get(i).shape)
		shape[axis], other[axis] = shape[axis]+other[axis], shape[axis]+other[axis]
		in.must(slices.Equal(shape, other), "shapes %v and %v are joined along %d", shape, other, axis)
		in.must(in.zero(in.like(i)) == in.zero(in.like(out)), "tensors of other quantisation are joined")
	}
	r := newArray(shape)
	var from [4]int
	for _, i := range inputs {
		x := in.get(i)
		part, all := x.four(), r.four()
		for b := range int(part.shape[0]) {
			for y := range int(part.shape[1]) {
				for at := range int(part.shape[2]) {
					for c := range int(part.shape[3]) {
						*all.of(b+from[0], y+from[1], at+from[2], c+from[3]) = *part.of(b, y, at, c)
					}
				}
			}
		}
		from[4-len(shape)+axis] += int(x.shape[axis])
	}
	in.set(out, r)
}

// broadcast returns an element of an operand of lower rank or with dimensions of 1.
func broadcast(a array, index [4]int) float64 {
	place := 0
	for i, d := range a.shape {
		k := index[4-len(a.shape)+i]
		if d == 1 {
			k = 0
		}
		place = place*int(d) + k
	}
	return a.data[place]
}

func (in *interpreter) binary(inputs []int, out int, code schema.BuiltinOperator) {
	a, b := in.get(inputs[0]), in.get(inputs[1])
	zeroA, zeroB := in.zero(in.like(inputs[0])), in.zero(in.like(inputs[1]))
	shape := make([]int32, 4)
	for i := range shape {
		shape[i] = 1
		for _, s := range [][]int32{a.shape, b.shape} {
			if k := len(s) - 4 + i; k >= 0 {
				in.must(s[k] == shape[i] || s[k] == 1 || shape[i] == 1, "shapes %v and %v", a.shape, b.shape)
				shape[i] = max(shape[i], s[k])
			}
		}
	}
	rank := max(len(a.shape), len(b.shape))
	r := newArray(shape[4-rank:])
	for n := range int(shape[0]) {
		for y := range int(shape[1]) {
			for x := range int(shape[2]) {
				for c := range int(shape[3]) {
					p, q := broadcast(a, [4]int{n, y, x, c}), broadcast(b, [4]int{n, y, x, c})
					*r.four().of(n, y, x, c) = in.round(out, combine(code, p-zeroA, q-zeroB))
				}
			}
		}
	}
	in.set(out, r)
}

func combine(code schema.BuiltinOperator, p, q float64) float64 {
	switch code {
	case schema.BuiltinOperatorADD:
		return 0.7*p + 0.9*q
	case schema.BuiltinOperatorSUB:
		return 0.7*p - 0.9*q
	}
	return 0.05 * p * q
}

func (in *interpreter) unary(from, out int, code schema.BuiltinOperator) {
	x := in.get(from)
	r := newArray(x.shape)
	for i, v := range x.data {
		v -= in.zero(in.like(from))
		switch code {
		case schema.BuiltinOperatorRELU:
			v = max(v, 0)
		case schema.BuiltinOperatorLOGISTIC:
			v = 40 / (1 + math.Exp(-v/20))
		}
		r.data[i] = in.round(out, v)
	}
	in.set(out, r)
}
