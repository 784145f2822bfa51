package kernels

import (
	"fmt"
	"math"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Constructors of laws and conditions are not inlined. Otherwise, Go compiles the returned
// functions once per call, which took half a megabyte of the command.

// A law is one requirement of a kernel in a phase. why describes the violation by an operator,
// or returns "".
type law struct {
	phase Phase
	why   func(k *Kernel) string
}

// prepare returns a law of Prepare, eval one of Eval.
//
//go:noinline
func prepare(why func(k *Kernel) string) law { return law{Prepare, why} }

//go:noinline
func eval(why func(k *Kernel) string) law { return law{Eval, why} }

// later moves laws from Prepare to Eval.
func later(laws ...law) []law {
	moved := slices.Clone(laws)
	for i := range moved {
		moved[i].phase = Eval
	}
	return moved
}

// laws concatenates lists of laws.
func laws(lists ...any) (all []law) {
	for _, l := range lists {
		switch l := l.(type) {
		case law:
			all = append(all, l)
		case []law:
			all = append(all, l...)
		}
	}
	return all
}

// An operand is an input, numbered up from 0, or an output, numbered down from -1.
type operand int

func input(i int) operand  { return operand(i) }
func output(i int) operand { return operand(-1 - i) }

func (o operand) String() string {
	if o < 0 {
		return fmt.Sprintf("output %d", -1-int(o))
	}
	return fmt.Sprintf("input %d", int(o))
}

// operand returns a tensor, or nil if absent.
func (k *Kernel) operand(o operand) *tflite.Tensor {
	if o < 0 {
		return k.output(-1 - int(o))
	}
	return k.input(int(o))
}

// has requires operands.
//
//go:noinline
func has(list ...operand) law {
	return prepare(func(k *Kernel) string {
		for _, o := range list {
			if k.operand(o) == nil {
				return fmt.Sprintf("its %v is absent", o)
			}
		}
		return ""
	})
}

// counts requires a number of inputs from least to most, and a number of outputs; -1 is any
// number.
//
//go:noinline
func counts(least, most, outputs int) law {
	return prepare(func(k *Kernel) string {
		switch n := len(k.op.Inputs); {
		case n < least || most >= 0 && n > most:
			return fmt.Sprintf("it has %d inputs", n)
		case outputs >= 0 && len(k.op.Outputs) != outputs:
			return fmt.Sprintf("it has %d outputs", len(k.op.Outputs))
		}
		return ""
	})
}

type types []schema.TensorType

func (t types) String() string {
	names := make([]string, len(t))
	for i := range t {
		names[i] = t[i].String()
	}
	return strings.Join(names, ", ")
}

// takes requires one of the types for an operand.
//
//go:noinline
func takes(o operand, list ...schema.TensorType) law {
	return prepare(func(k *Kernel) string {
		if t := k.operand(o); t != nil && !slices.Contains(list, t.Type) {
			return fmt.Sprintf("its %v has the type %v, which is not supported; use %v", o, t.Type, types(list))
		}
		return ""
	})
}

// pairs requires one of the pairs of types for two operands.
func pairs(a, b operand, list ...[2]schema.TensorType) law {
	return prepare(func(k *Kernel) string {
		x, y := k.operand(a), k.operand(b)
		if x == nil || y == nil || slices.Contains(list, [2]schema.TensorType{x.Type, y.Type}) {
			return ""
		}
		together := make([]string, len(list))
		for i, p := range list {
			together[i] = fmt.Sprintf("%v with %v", p[0], p[1])
		}
		return fmt.Sprintf("its %v has the type %v and its %v %v, which is not supported; use %s", a, x.Type, b, y.Type, strings.Join(together, ", "))
	})
}

// alike requires that operands have the type of the first.
//
//go:noinline
func alike(first operand, rest ...operand) law {
	return prepare(func(k *Kernel) string {
		t := k.operand(first)
		for _, o := range rest {
			if u := k.operand(o); t != nil && u != nil && t.Type != u.Type {
				return fmt.Sprintf("its %v has the type %v and its %v %v, and they must be alike", first, t.Type, o, u.Type)
			}
		}
		return ""
	})
}

// ranks requires from least to most dimensions.
//
//go:noinline
func ranks(o operand, least, most int) law {
	return prepare(func(k *Kernel) string {
		if t := k.operand(o); t != nil && (len(t.Shape) < least || len(t.Shape) > most) {
			return fmt.Sprintf("its %v has %d dimensions", o, len(t.Shape))
		}
		return ""
	})
}

// flat requires that two inputs of one shape have an output with as many elements.
//
//go:noinline
func flat(a, b, o operand) law {
	return eval(func(k *Kernel) string {
		x, y, z := k.operand(a), k.operand(b), k.operand(o)
		if x != nil && y != nil && z != nil && slices.Equal(x.Shape, y.Shape) && Elements(x) != Elements(z) {
			return fmt.Sprintf("its inputs have the shape %v and its output %v", x.Shape, z.Shape)
		}
		return ""
	})
}

// sameShape requires that two operands have the same shape.
func sameShape(a, b operand) law {
	return prepare(func(k *Kernel) string {
		x, y := k.operand(a), k.operand(b)
		if x != nil && y != nil && !slices.Equal(x.Shape, y.Shape) {
			return fmt.Sprintf("its %v has the shape %v and its %v %v, and they must be equal", a, x.Shape, b, y.Shape)
		}
		return ""
	})
}

// constant requires a constant inside the flatbuffer, the only kind that the runtime
// recognises.
//
//go:noinline
func constant(o operand, what string) law {
	return prepare(func(k *Kernel) string {
		if t := k.operand(o); t != nil && !k.isConstant(t) {
			return fmt.Sprintf("its %s (%v) is not a constant", what, o)
		}
		return ""
	})
}

func (k *Kernel) isConstant(t *tflite.Tensor) bool {
	b := k.model.Buffer(t)
	return len(b.Data) > 0 && !b.Outside
}

// elements requires the given number of elements.
//
//go:noinline
func elements(o operand, want int64) law {
	return prepare(func(k *Kernel) string {
		if t := k.operand(o); t != nil && Elements(t) != want {
			return fmt.Sprintf("its %v has the shape %v", o, t.Shape)
		}
		return ""
	})
}

// when guards laws with a condition.
//
//go:noinline
func when(holds func(k *Kernel) bool, list ...law) []law {
	guarded := make([]law, len(list))
	for i, l := range list {
		guarded[i] = law{l.phase, func(k *Kernel) string {
			if !holds(k) {
				return ""
			}
			return l.why(k)
		}}
	}
	return guarded
}

// of reports whether an operand has one of the types.
//
//go:noinline
func of(o operand, list ...schema.TensorType) func(*Kernel) bool {
	return func(k *Kernel) bool {
		t := k.operand(o)
		return t != nil && slices.Contains(list, t.Type)
	}
}

// A quantum is the quantisation of a tensor as the runtime reads it: none unless there are both
// scales and zero points.
type quantum struct {
	scales int
	scale  float32
	zero   int64
	along  int
	// uneven reports that scales or zero points differ from the first.
	uneven bool
}

func quantumOf(t *tflite.Tensor) (q quantum) {
	if t == nil {
		return quantum{}
	}
	table := t.Table()
	if table.Table().Bytes == nil {
		return quantum{} // the tensor is not from a file
	}
	var p schema.QuantizationParameters
	if table.Quantization(&p) == nil || p.ScaleLength() == 0 || p.ZeroPointLength() == 0 {
		return quantum{}
	}
	q = quantum{scales: p.ScaleLength(), scale: p.Scale(0), zero: int64(int32(p.ZeroPoint(0))), along: int(p.QuantizedDimension())}
	for i := range p.ScaleLength() {
		q.uneven = q.uneven || p.Scale(i) != p.Scale(0)
	}
	for i := range p.ZeroPointLength() {
		q.uneven = q.uneven || p.ZeroPoint(i) != p.ZeroPoint(0)
	}
	return q
}

// quantised requires quantisation.
//
//go:noinline
func quantised(list ...operand) law {
	return prepare(func(k *Kernel) string {
		for _, o := range list {
			if t := k.operand(o); t != nil && quantumOf(t).scales == 0 {
				return fmt.Sprintf("its %v has the type %v and no quantisation", o, t.Type)
			}
		}
		return ""
	})
}

// scaled requires scales that the kernel can divide by.
//
//go:noinline
func scaled(list ...operand) law {
	return prepare(func(k *Kernel) string {
		for _, o := range list {
			if t := k.operand(o); t != nil && !(quantumOf(t).scale > 0) {
				return fmt.Sprintf("its %v has the type %v and no scale that is positive", o, t.Type)
			}
		}
		return ""
	})
}

// fraction requires a scale in the open interval (0, 1).
func fraction(o operand) law {
	return prepare(func(k *Kernel) string {
		if t := k.operand(o); t != nil && !(quantumOf(t).scale > 0 && quantumOf(t).scale < 1) {
			return fmt.Sprintf("its %v has the scale %g, and the kernel takes what is between 0 and 1", o, quantumOf(t).scale)
		}
		return ""
	})
}

// plainTypes requires no quantisation.
func plainTypes(list ...operand) law {
	return prepare(func(k *Kernel) string {
		for _, o := range list {
			if t := k.operand(o); t != nil && quantumOf(t).scales > 0 {
				return fmt.Sprintf("its %v is a quantised %v, and the kernel takes plain numbers", o, t.Type)
			}
		}
		return ""
	})
}

// zeroAt requires the given zero points.
//
//go:noinline
func zeroAt(want int64, list ...operand) law {
	return prepare(func(k *Kernel) string {
		for _, o := range list {
			if t := k.operand(o); t != nil && quantumOf(t).zero != want {
				return fmt.Sprintf("its %v has the zero point %d, and the kernel needs %d", o, quantumOf(t).zero, want)
			}
		}
		return ""
	})
}

// scaleAt requires the given scale.
func scaleAt(want float32, o operand) law {
	return prepare(func(k *Kernel) string {
		if t := k.operand(o); t != nil && quantumOf(t).scale != want {
			return fmt.Sprintf("its %v has the scale %g, and the kernel needs %g", o, quantumOf(t).scale, want)
		}
		return ""
	})
}

// fractionBits requires the scale 2^-n, with the exponent within a thousandth.
func fractionBits(n int, o operand) law {
	return prepare(func(k *Kernel) string {
		t := k.operand(o)
		if t == nil {
			return ""
		}
		if log := math.Log2(float64(quantumOf(t).scale)); !(math.Abs(log+float64(n)) < 1e-3) {
			return fmt.Sprintf("its %v has the scale %g, and the kernel needs 2^-%d", o, quantumOf(t).scale, n)
		}
		return ""
	})
}

// oneScale requires that a filter have one scale, or one per index of a dimension.
func oneScale(o operand, dimension int) law {
	return prepare(func(k *Kernel) string {
		t := k.operand(o)
		if t == nil {
			return ""
		}
		q := quantumOf(t)
		if q.scales == 0 {
			return fmt.Sprintf("its %v has the type %v and no quantisation", o, t.Type)
		}
		if q.scales > 1 && int64(q.scales) != Dim(t, dimension) {
			return fmt.Sprintf("its %v has %d scales and the shape %v", o, q.scales, t.Shape)
		}
		return ""
	})
}

// biasFits requires that the scale of a bias equal the product of the input and filter scales,
// within a fiftieth of the output scale.
func biasFits(input, filter, bias, output operand) law {
	return prepare(func(k *Kernel) string {
		x, f, b, o := k.operand(input), k.operand(filter), k.operand(bias), k.operand(output)
		if x == nil || f == nil || b == nil || o == nil {
			return ""
		}
		product := float64(quantumOf(x).scale * quantumOf(f).scale)
		if far := math.Abs(product-float64(quantumOf(b).scale)) / float64(quantumOf(o).scale); !(far <= 0.02) {
			return fmt.Sprintf("its bias has the scale %g, and those of its input and its weights make %g", quantumOf(b).scale, product)
		}
		return ""
	})
}

// pair is a pair of types.
type pair = [2]schema.TensorType

// Laws that several kernels share.
var (
	unary   = laws(counts(1, 1, 1), has(input(0), output(0)))
	lenient = laws(has(input(0), output(0))) // further inputs are ignored
	twoIn   = laws(has(input(0), input(1), output(0)))
	// floats are the kernels whose Prepare accepts only FLOAT32.
	floats = laws(unary, takes(input(0), f32), takes(output(0), f32), sameShape(input(0), output(0)))
)

// elementwise1 are kernels whose Prepare requires equal types and whose Eval requires one of
// list.
func elementwise1(list ...schema.TensorType) []law {
	return laws(unary, alike(input(0), output(0)), later(takes(input(0), list...)))
}
