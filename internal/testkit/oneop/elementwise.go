package oneop

import (
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// Element-wise operators, reductions and conversions.

// unary draws an operator of one input.
func unary(d *drawn) {
	t := d.kind()
	shape := d.shape(d.rank(0))
	q, to := d.usual(t), d.usual(t)
	var v values
	kind := d.op.Builtin
	switch kind {
	case schema.BuiltinOperatorLOGICAL_NOT:
		if !d.chance(6) {
			t = boolean
		}
		q, to = none, none
	case schema.BuiltinOperatorSQRT, schema.BuiltinOperatorRSQRT, schema.BuiltinOperatorLOG:
		v = d.positive(t, q)
		d.indexes = true // rejects values that are not positive
	case schema.BuiltinOperatorCOS, schema.BuiltinOperatorSIN, schema.BuiltinOperatorSQUARE, schema.BuiltinOperatorCEIL,
		schema.BuiltinOperatorROUND, schema.BuiltinOperatorEXP, schema.BuiltinOperatorFLOOR:
		if !d.chance(4) {
			t, q, to = f32, none, none
		}
	case schema.BuiltinOperatorRELU6, schema.BuiltinOperatorZEROS_LIKE, schema.BuiltinOperatorNEG:
		if d.chance(2) {
			to = q
		}
	case schema.BuiltinOperatorLEAKY_RELU:
		d.options(schema.BuiltinOptionsLeakyReluOptions, schema.LeakyReluOptionsStart, schema.LeakyReluOptionsEnd,
			set(schema.LeakyReluOptionsAddAlpha, some[float32](d, 0, 0.1, 0.2, 0.5, 1, 1.5, -0.3)))
	case schema.BuiltinOperatorLOGISTIC, schema.BuiltinOperatorTANH:
		d.fixed(t, &to, map[schema.TensorType]encode.Quantization{i8: quantum(1.0/256, -128), i16: quantum(1.0/32768, 0), u8: quantum(1.0/256, 0)})
		if kind == schema.BuiltinOperatorTANH {
			d.fixed(t, &to, map[schema.TensorType]encode.Quantization{i8: quantum(1.0/128, 0), u8: quantum(1.0/128, 128)})
		}
	case schema.BuiltinOperatorL2_NORMALIZATION:
		d.fixed(t, &to, map[schema.TensorType]encode.Quantization{i8: quantum(1.0/128, 0)})
		a := schema.ActivationFunctionTypeNONE
		if d.chance(8) {
			a = d.activation()
		}
		d.options(schema.BuiltinOptionsL2NormOptions, schema.L2NormOptionsStart, schema.L2NormOptionsEnd, set(schema.L2NormOptionsAddFusedActivationFunction, a))
	case schema.BuiltinOperatorLOG_SOFTMAX:
		d.fixed(t, &to, map[schema.TensorType]encode.Quantization{i8: quantum(16.0/256, 127)})
	case schema.BuiltinOperatorSOFTMAX:
		d.fixed(t, &to, map[schema.TensorType]encode.Quantization{i8: quantum(1.0/256, -128), i16: quantum(1.0/32768, 0), u8: quantum(1.0/256, 0)})
		d.options(schema.BuiltinOptionsSoftmaxOptions, schema.SoftmaxOptionsStart, schema.SoftmaxOptionsEnd, set(schema.SoftmaxOptionsAddBeta, some[float32](d, 1, 1, 1, 0.5, 2, 0.1, 10)))
	}
	d.in(t, shape, q, v)
	if kind == schema.BuiltinOperatorSOFTMAX && t == i8 && d.chance(4) {
		t, to = i16, some(d, quantum(1.0/65536, -32768), quantum(1.0/65536, -32768), quantum(1.0/32768, 0))
	}
	d.out(t, shape, to)
}

// fixed sets the quantisation of an output that an operator prescribes, in most cases.
func (d *drawn) fixed(t schema.TensorType, to *encode.Quantization, want map[schema.TensorType]encode.Quantization) {
	if q, ok := want[t]; ok && !d.chance(12) {
		*to = q
	}
}

// positive draws quantised numbers above 0.
func (d *drawn) positive(t schema.TensorType, q encode.Quantization) values {
	if t == f32 {
		return between(0.01, 9)
	}
	if len(q.Zeros) == 0 {
		return between(1, 9)
	}
	high := map[schema.TensorType]float64{i8: 127, i16: 32767, u8: 255}[t]
	return between(math.Min(float64(q.Zeros[0])+1, high), high)
}

// broadcasts draws n shapes that are broadcast to the last.
func (d *drawn) broadcasts(n int) [][]int32 {
	to := d.shape(d.rank(0))
	shapes := make([][]int32, n)
	for i := range shapes {
		shapes[i] = slices.Clone(to)
	}
	if d.chance(2) {
		for i := range shapes {
			s := shapes[i]
			if d.chance(2) {
				for k := range s {
					if d.chance(3) {
						s[k] = 1
					}
				}
			}
			if d.chance(3) {
				shapes[i] = s[d.IntN(len(s)+1):]
			}
		}
	}
	rank := 0
	for _, s := range shapes {
		rank = max(rank, len(s))
	}
	all := make([]int32, rank)
	for i := range all {
		all[i] = 1
		for _, s := range shapes {
			if at := i - rank + len(s); at >= 0 {
				all[i] = max(all[i], s[at])
			}
		}
	}
	return append(shapes, all)
}

// two draws an operator of two inputs.
func two(d *drawn) {
	t := d.kind()
	shapes := d.broadcasts(2)
	a, b, to := d.usual(t), d.usual(t), d.usual(t)
	if d.chance(3) {
		b, to = a, a
	}
	var v, w values
	other := t
	made := t
	act := d.activation()
	switch d.op.Builtin {
	case schema.BuiltinOperatorADD:
		d.options(schema.BuiltinOptionsAddOptions, schema.AddOptionsStart, schema.AddOptionsEnd, set(schema.AddOptionsAddFusedActivationFunction, act))
	case schema.BuiltinOperatorSUB:
		d.options(schema.BuiltinOptionsSubOptions, schema.SubOptionsStart, schema.SubOptionsEnd, set(schema.SubOptionsAddFusedActivationFunction, act))
	case schema.BuiltinOperatorMUL:
		d.options(schema.BuiltinOptionsMulOptions, schema.MulOptionsStart, schema.MulOptionsEnd, set(schema.MulOptionsAddFusedActivationFunction, act))
	case schema.BuiltinOperatorDIV:
		d.options(schema.BuiltinOptionsDivOptions, schema.DivOptionsStart, schema.DivOptionsEnd, set(schema.DivOptionsAddFusedActivationFunction, act))
		w = d.positive(t, b)
	case schema.BuiltinOperatorFLOOR_DIV, schema.BuiltinOperatorFLOOR_MOD:
		a, b, to = none, none, none
		if d.chance(2) {
			t, other, made = f32, f32, f32
		}
		w = between(1, 5)
	case schema.BuiltinOperatorLOGICAL_AND, schema.BuiltinOperatorLOGICAL_OR:
		a, b, to = none, none, none
		if !d.chance(5) {
			t, other, made = boolean, boolean, boolean
		}
	case schema.BuiltinOperatorMAXIMUM, schema.BuiltinOperatorMINIMUM:
		if !d.chance(4) {
			b, to = a, a
		}
	}
	if d.chance(25) {
		other = d.kind()
		b, w = d.usual(other), nil
	}
	d.in(t, shapes[0], a, v)
	d.in(other, shapes[1], b, w)
	d.out(made, shapes[2], to)
}

// compare draws a comparison.
func compare(d *drawn) {
	t := d.kind()
	other := t
	shapes := d.broadcasts(2)
	a := d.usual(t)
	b := a
	if d.chance(2) {
		b = d.usual(t)
	}
	if d.chance(25) {
		other = d.kind()
		b = d.usual(other)
	}
	var v values
	if d.chance(2) && t == other {
		v = below(3)
	}
	d.in(t, shapes[0], a, v)
	d.in(other, shapes[1], b, v)
	d.out(boolean, shapes[2], none)
}

func prelu(d *drawn) {
	t := d.kind()
	shapes := d.broadcasts(2)
	if d.chance(2) { // one factor for each channel
		shapes[0] = slices.Clone(shapes[2])
		if n := len(shapes[2]); n > 0 {
			shapes[1] = make([]int32, n-d.IntN(2))
			for i := range shapes[1] {
				shapes[1][i] = 1
			}
			if len(shapes[1]) > 0 {
				shapes[1][len(shapes[1])-1] = shapes[2][n-1]
			}
		}
	}
	d.in(t, shapes[0], d.usual(t), nil)
	d.param(t, shapes[1], d.usual(t), nil)
	d.out(t, shapes[2], d.usual(t))
}

func addN(d *drawn) {
	t := d.kind()
	shape, q := d.shape(d.rank(0)), d.usual(t)
	for range 1 + d.IntN(4) {
		d.in(t, shape, q, nil)
	}
	d.out(t, shape, d.usual(t))
}

// arg draws ARG_MAX and ARG_MIN.
func arg(d *drawn) {
	t := d.kind()
	shape := d.shape(d.rank(1))
	at := d.IntN(len(shape))
	d.in(t, shape, d.usual(t), nil)
	d.number(d.axis(at, len(shape)))
	to := i32
	if d.chance(12) {
		to = i64
	}
	if d.op.Builtin == schema.BuiltinOperatorARG_MAX {
		d.options(schema.BuiltinOptionsArgMaxOptions, schema.ArgMaxOptionsStart, schema.ArgMaxOptionsEnd, set(schema.ArgMaxOptionsAddOutputType, to))
	} else {
		d.options(schema.BuiltinOptionsArgMinOptions, schema.ArgMinOptionsStart, schema.ArgMinOptionsEnd, set(schema.ArgMinOptionsAddOutputType, to))
	}
	d.out(to, slices.Delete(slices.Clone(shape), at, at+1), none)
}

// reduce draws a reduction along some axes.
func reduce(d *drawn) {
	t := d.kind()
	if d.op.Builtin == schema.BuiltinOperatorREDUCE_ALL && !d.chance(5) {
		t = boolean
	}
	shape := d.shape(d.rank(1))
	keep := d.chance(2)
	q := d.usual(t)
	to := d.usual(t)
	if d.chance(2) || d.op.Builtin == schema.BuiltinOperatorREDUCE_MAX || d.op.Builtin == schema.BuiltinOperatorREDUCE_MIN {
		to = q
	}
	var axes []int32
	var left []int32
	most := d.IntN(3)
	for i, n := range shape {
		gone := d.IntN(3) <= most
		switch {
		case gone && keep:
			left = append(left, 1)
		case !gone:
			left = append(left, n)
		}
		if gone {
			axes = append(axes, d.axis(i, len(shape)))
		}
	}
	if len(axes) > 0 && d.chance(12) {
		axes = append(axes, axes[0])
	}
	d.Shuffle(len(axes), func(i, j int) { axes[i], axes[j] = axes[j], axes[i] })
	d.options(schema.BuiltinOptionsReducerOptions, schema.ReducerOptionsStart, schema.ReducerOptionsEnd, set(schema.ReducerOptionsAddKeepDims, keep))
	d.in(t, shape, q, nil)
	if len(axes) == 1 {
		d.number(axes[0])
	} else {
		d.numbers(axes...)
	}
	d.out(t, left, to)
}

func cumsum(d *drawn) {
	t := d.kind()
	shape := d.shape(d.rank(1))
	d.options(schema.BuiltinOptionsCumsumOptions, schema.CumsumOptionsStart, schema.CumsumOptionsEnd,
		set(schema.CumsumOptionsAddExclusive, d.chance(3)), set(schema.CumsumOptionsAddReverse, d.chance(3)))
	q := d.usual(t)
	d.in(t, shape, q, nil)
	d.number(d.axis(d.IntN(len(shape)), len(shape)))
	d.out(t, shape, some(d, q, d.usual(t)))
}

func cast(d *drawn) {
	types := []schema.TensorType{f32, i8, i16, i32, u32, boolean, f32, i8, i16, i32, i64, u8, f16}
	shape := d.shape(d.rank(0))
	from, to := some(d, types...), some(d, types...)
	var v values
	if from == f32 {
		v = between(0, 100)
		if to != u32 && to != u8 {
			v = between(-100, 100)
		}
	}
	d.in(from, shape, none, v)
	d.out(to, shape, none)
	d.options(schema.BuiltinOptionsCastOptions, schema.CastOptionsStart, schema.CastOptionsEnd,
		set(schema.CastOptionsAddInDataType, from), set(schema.CastOptionsAddOutDataType, to))
}

func dequantise(d *drawn) {
	t := some(d, i8, i8, i16, u8, i32, f16)
	shape := d.shape(d.rank(0))
	q := d.usual(t)
	if d.chance(8) && len(shape) > 0 {
		q = d.channels(t, shape, d.IntN(len(shape)))
	}
	d.in(t, shape, q, nil)
	d.out(f32, shape, none)
}

func quantise(d *drawn) {
	shape := d.shape(d.rank(0))
	from, to := some(d, f32, i8, i16, i32, u8), some(d, i8, i16, i32, u8)
	q, p := d.usual(from), d.usual(to)
	if from == i32 {
		q = quantum(math.Exp2(-8+d.Float64()*6), 0)
	}
	if to == i32 {
		p = quantum(math.Exp2(-8+d.Float64()*6), 0)
	}
	d.in(from, shape, q, nil)
	d.out(to, shape, p)
}

// channels quantises a tensor for each index of a dimension.
func (d *drawn) channels(t schema.TensorType, shape []int32, along int) (q encode.Quantization) {
	for range shape[along] {
		q.Scales, q.Zeros = append(q.Scales, float32(math.Exp2(-8+d.Float64()*3))), append(q.Zeros, 0)
	}
	q.Dimension = int32(along)
	return q
}
