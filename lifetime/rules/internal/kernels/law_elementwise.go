package kernels

import (
	"encoding/binary"
	"fmt"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
)

// Requirements of element-wise kernels.

var binaryIn = has(input(0), input(1))

// comparison is a comparison of the given types.
func comparison(list ...schema.TensorType) []law {
	return laws(binaryIn, when(of(input(0), i8), fraction(input(0)), fraction(input(1))), later(takes(input(0), list...), has(output(0))))
}

// swish requires an output scale above a 128th of the input scale.
var swish = prepare(func(k *Kernel) string {
	if x, y := quantumOf(k.input(0)).scale, quantumOf(k.output(0)).scale; !(x/128/y < 1) {
		return fmt.Sprintf("its input has the scale %g and its output %g, and the kernel wants more than a 128th", x, y)
	}
	return ""
})

// divisor requires a constant without zeros.
var divisor = eval(func(k *Kernel) string {
	t := k.input(1)
	if !k.isConstant(t) {
		return ""
	}
	data := k.model.Buffer(t).Data
	for i := 0; i+4 <= len(data); i += 4 {
		if binary.LittleEndian.Uint32(data[i:]) == 0 {
			return "it divides by a constant that contains 0"
		}
	}
	return ""
})

// addition is ADD and SUB, of INT32 without quantisation and of quantised bytes and words.
var addition = laws(twoIn, flat(input(0), input(1), output(0)),
	when(of(output(0), i8, i16), scaled(output(0), input(0), input(1)), rescalable), when(of(output(0), i32), plainTypes(input(0), input(1))),
	later(takes(output(0), f32, i32, i8, i16)))

// rescalable requires an output scale large enough, relative to the input scales, that the
// factor between them is below 1. Otherwise, the runtime aborts.
var rescalable = prepare(func(k *Kernel) string {
	x, y, o := quantumOf(k.input(0)).scale, quantumOf(k.input(1)).scale, quantumOf(k.output(0)).scale
	bits := map[schema.TensorType]int{i8: 20, i16: 15}[k.output(0).Type]
	if factor := 2 * max(x, y) / (float32(int(1)<<bits) * o); !(factor > 0 && factor < 1) {
		return fmt.Sprintf("its inputs have the scales %g and %g and its output %g, too far apart to rescale", x, y, o)
	}
	return ""
})

var softmax = laws(unary, ranks(input(0), 1, 8),
	when(of(input(0), i16), zeroAt(0, input(0), output(0)), scaleAt(1.0/32768, output(0)), takes(output(0), i16)),
	when(of(input(0), i8), takes(output(0), i8, i16), scaleLike256, sharp),
	takes(input(0), f32, i8, i16), when(of(input(0), f32), takes(output(0), f32)))

// scaleLike256 is the output quantisation required by SOFTMAX of bytes.
var scaleLike256 = prepare(func(k *Kernel) string {
	o := k.output(0)
	if o == nil {
		return ""
	}
	q, zero := quantumOf(o), int64(-128)
	if o.Type == i16 {
		zero = -32768
	}
	if q.zero != zero {
		return fmt.Sprintf("its output has the zero point %d, and the kernel needs %d", q.zero, zero)
	}
	if math.Abs(float64(q.scale)-1.0/256) > 0.001/256 && o.Type == i8 {
		return fmt.Sprintf("its output has the scale %g, and the kernel needs 1/256", q.scale)
	}
	return ""
})

// sharp requires that the factor before the exponential fits into an integer.
var sharp = prepare(func(k *Kernel) string {
	var o schema.SoftmaxOptions
	beta := float32(0)
	if k.op.Options(schema.BuiltinOptionsSoftmaxOptions, &o) {
		beta = o.Beta()
	}
	if t := k.input(0); t != nil && float64(beta)*float64(quantumOf(t).scale)*(1<<26) <= 1 {
		return fmt.Sprintf("its beta is %g and its input has the scale %g: which is too small for integers", beta, quantumOf(t).scale)
	}
	return ""
})

// summable is rescalable for CUMSUM.
var summable = prepare(func(k *Kernel) string {
	x, o := quantumOf(k.input(0)).scale, quantumOf(k.output(0)).scale
	if factor := 2 * x / ((1 << 20) * o); !(factor > 0 && factor < 1) {
		return fmt.Sprintf("its input has the scale %g and its output %g, too far apart to rescale", x, o)
	}
	return ""
})

// steep requires that the factor before the logarithm fits into an integer.
var steep = prepare(func(k *Kernel) string {
	if scale := quantumOf(k.input(0)).scale; !(float64(scale)*(1<<26) > 1) {
		return fmt.Sprintf("its input has the scale %g, which is too small for integers", scale)
	}
	return ""
})

// addN requires at least two equal inputs.
var addN = laws(counts(2, -1, 1), has(input(0), output(0)), prepare(func(k *Kernel) string {
	first, o := k.input(0), k.output(0)
	for i := range k.op.Inputs {
		switch t := k.input(i); {
		case t == nil:
			return fmt.Sprintf("its input %d is absent", i)
		case t.Type != first.Type || !slices.Equal(t.Shape, first.Shape):
			return fmt.Sprintf("its input %d is %v%v and its first %v%v, and they must be alike", i, t.Type, t.Shape, first.Type, first.Shape)
		case t.Type == i8 && (quantumOf(t).scale != quantumOf(first).scale || quantumOf(t).zero != quantumOf(first).zero):
			return fmt.Sprintf("its input %d is not quantised as its first", i)
		}
	}
	if o.Type != first.Type || !slices.Equal(o.Shape, first.Shape) {
		return "its output is not as its inputs"
	}
	return ""
}), takes(input(0), f32, i8), when(of(input(0), i8), scaled(input(0), output(0))))

// rescaled holds the requirements of ABS and RSQRT on quantised numbers; they are optional for
// INT16.
var rescaled = laws(when(of(input(0), i8), quantised(input(0), output(0))),
	when(func(k *Kernel) bool { return of(input(0), i16)(k) && quantumOf(k.input(0)).scales > 0 },
		quantised(output(0)), zeroAt(0, input(0), output(0))))
