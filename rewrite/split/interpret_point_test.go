package split_test

import (
	"math"

	"golang.org/x/exp/slices"

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

func (in *interpreter) stridedSlice(inputs []int, out int) {
	x, begin, end, strides := in.get(inputs[0]), in.get(inputs[1]).data, in.get(inputs[2]).data, in.get(inputs[3]).data
	in.must(slices.Equal(strides, []float64{1, 1, 1, 1}), "strides %v", strides)
	in.must(in.like(inputs[0]) == in.like(out) || in.zero(in.like(inputs[0])) == in.zero(in.like(out)), "slice of another quantisation")
	shape := make([]int32, 4)
	for i := range shape {
		in.must(0 <= begin[i] && begin[i] < end[i] && end[i] <= float64(x.shape[i]), "slice %v to %v of %v", begin, end, x.shape)
		shape[i] = int32(end[i] - begin[i])
	}
	in.must(!slices.Equal(shape, x.shape), "a slice of everything")
	r := newArray(shape)
	for y := range int(shape[1]) {
		for at := range int(shape[2]) {
			for c := range int(shape[3]) {
				*r.at(y, at, c) = *x.at(y+int(begin[1]), at+int(begin[2]), c+int(begin[3]))
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
		for y := range int(x.shape[1]) {
			for at := range int(x.shape[2]) {
				for c := range int(x.shape[3]) {
					*r.at(y+from[1], at+from[2], c+from[3]) = *x.at(y, at, c)
				}
			}
		}
		from[axis] += int(x.shape[axis])
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
	r := newArray(shape)
	for y := range int(shape[1]) {
		for x := range int(shape[2]) {
			for c := range int(shape[3]) {
				p, q := broadcast(a, [4]int{0, y, x, c}), broadcast(b, [4]int{0, y, x, c})
				var v float64
				switch code {
				case schema.BuiltinOperatorADD:
					v = 0.7*(p-zeroA) + 0.9*(q-zeroB)
				case schema.BuiltinOperatorSUB:
					v = 0.7*(p-zeroA) - 0.9*(q-zeroB)
				default:
					v = 0.05 * (p - zeroA) * (q - zeroB)
				}
				*r.at(y, x, c) = in.round(out, v)
			}
		}
	}
	in.set(out, r)
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
