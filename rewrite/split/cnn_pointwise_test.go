package split_test

import (
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// unary adds an operator that has no options.
func (n *cnn) unary(kind schema.BuiltinOperator, out, in int) int {
	return n.add(encode.Operator{Builtin: kind}, out, in)
}

// requantize gives a tensor another quantisation or type.
func (n *cnn) requantize(in int, kind schema.TensorType) int {
	op := schema.BuiltinOperatorQUANTIZE
	if kind == schema.TensorTypeFLOAT32 {
		op = schema.BuiltinOperatorDEQUANTIZE
	}
	return n.unary(op, n.tensor(kind, n.size[in], n.shape(in)...), in)
}

// range1 adds a tensor for what lies between 0, or -1, and 1: kernels ask for one scale.
func (n *cnn) range1(in int, negative bool) int {
	steps, zero := 256.0, int64(-128)
	if negative {
		steps, zero = 128, 0
	}
	if n.kind(in) == schema.TensorTypeINT16 {
		steps, zero = 32768, 0
	}
	out := n.fixed(n.kind(in), 1/steps, zero, n.shape(in)...)
	n.size[out] = 0.6
	return out
}

func (n *cnn) activation(in int) int {
	kind := n.IntN(7)
	if n.kind(in) == schema.TensorTypeINT16 && (kind == 0 || kind == 3 || kind == 5) {
		kind = 6 // the runtimes have no others
	}
	switch kind {
	case 0:
		return n.unary(schema.BuiltinOperatorRELU6, n.alike(in, n.shape(in)...), in)
	case 1:
		return n.unary(schema.BuiltinOperatorLOGISTIC, n.range1(in, false), in)
	case 2:
		return n.unary(schema.BuiltinOperatorTANH, n.range1(in, true), in)
	case 3:
		return n.unary(schema.BuiltinOperatorHARD_SWISH, n.tensor(n.kind(in), n.size[in], n.shape(in)...), in)
	case 4:
		return n.add(leakyOperator(float32(n.uniform(0, 0.5))), n.tensor(n.kind(in), n.size[in], n.shape(in)...), in)
	case 5:
		return n.prelu(in)
	}
	out := n.behind(schema.ActivationFunctionTypeRELU, n.kind(in), n.size[in], n.shape(in)...)
	return n.unary(schema.BuiltinOperatorRELU, out, in)
}

// prelu has a value for each channel.
func (n *cnn) prelu(in int) int {
	alpha := n.constant(n.kind(in), 0.4, 1, 1, n.shape(in)[3])
	out := n.tensor(n.kind(in), n.size[in], n.shape(in)...)
	return n.add(encode.Operator{Builtin: schema.BuiltinOperatorPRELU}, out, in, alpha)
}

func (n *cnn) softmax(in int) int {
	if n.shape(in)[3] == 1 {
		return n.same(in) // it would be 1 everywhere
	}
	return n.add(softmaxOperator(float32(n.uniform(0.5, 2))), n.range1(in, false), in)
}

// broadcast adds an operator with a constant of fewer rows, columns or channels.
func (n *cnn) broadcast(in int) int {
	s := n.shape(in)
	shapes := [][]int32{{s[3]}, {1, 1, 1, s[3]}, {1, s[1], 1, s[3]}, {1, 1, s[2], 1}, {}, s, {1, 1, s[3]}, {1, s[1], s[2], 1}, {1, s[1], 1, 1}}
	size := n.uniform(0.5, 1.5)
	constant := n.constant(n.kind(in), size, shapes[n.IntN(len(shapes))]...)
	if n.chance(8) {
		constant = n.derived(n.kind(in), size, n.shape(constant))
	}
	if n.chance(2) {
		return n.binary(constant, in)
	}
	return n.binary(in, constant)
}

// derived is a constant that one or two operators make of another one.
func (n *cnn) derived(kind schema.TensorType, size float64, shape []int32) int {
	from := schema.TensorTypeFLOAT32
	if kind == from {
		from = schema.TensorTypeINT8
	}
	if n.chance(2) {
		return n.requantize(n.requantize(n.constant(kind, size, shape...), from), kind)
	}
	return n.requantize(n.constant(from, size, shape...), kind)
}

// binary adds an element-wise operator of two inputs.
func (n *cnn) binary(a, b int) int {
	kinds := []schema.BuiltinOperator{
		schema.BuiltinOperatorADD, schema.BuiltinOperatorADD, schema.BuiltinOperatorMUL, schema.BuiltinOperatorSUB,
		schema.BuiltinOperatorMAXIMUM, schema.BuiltinOperatorMINIMUM, schema.BuiltinOperatorSQUARED_DIFFERENCE,
	}
	if n.kind(a) == schema.TensorTypeINT16 {
		kinds = kinds[:6] // LiteRT has no others
	}
	kind := kinds[n.IntN(len(kinds))]
	x, y := n.size[a], n.size[b]
	size := math.Hypot(x, y)
	switch kind {
	case schema.BuiltinOperatorMUL:
		size = x * y
	case schema.BuiltinOperatorSQUARED_DIFFERENCE:
		size *= size
	case schema.BuiltinOperatorMAXIMUM, schema.BuiltinOperatorMINIMUM:
		// Kernels compare the integers as they are.
		if n.kind(a) != schema.TensorTypeFLOAT32 && n.quantised(a) != n.quantised(b) {
			kind = schema.BuiltinOperatorSUB
		}
	}
	shape := joint(n.shape(a), n.shape(b))
	if kind == schema.BuiltinOperatorMAXIMUM || kind == schema.BuiltinOperatorMINIMUM {
		return n.add(binaryOperator(kind, 0), n.alike(a, shape...), a, b)
	}
	fused := n.fused()
	return n.add(binaryOperator(kind, fused), n.behind(fused, n.kind(a), max(size, 1e-3), shape...), a, b)
}

// joint returns the shape that two shapes are broadcast to.
func joint(a, b []int32) []int32 {
	if len(a) < len(b) {
		a, b = b, a
	}
	out := slices.Clone(a)
	for i := range b {
		at := len(a) - len(b) + i
		out[at] = max(out[at], b[i])
	}
	return out
}

// A quantised is how a tensor as a whole is quantised.
type quantised struct {
	scale float32
	zero  int64
}

func (n *cnn) quantised(i int) (q quantised) {
	if t := n.sub.Tensors[i].Quantization; len(t.Scales) > 0 {
		q = quantised{t.Scales[0], t.Zeros[0]}
	}
	return q
}

// concat joins channels, of tensors quantised alike.
func (n *cnn) concat(list ...int) int {
	largest := list[0]
	for _, in := range list {
		if n.size[in] > n.size[largest] {
			largest = in
		}
	}
	shape := slices.Clone(n.shape(largest))
	shape[3] = 0
	joined := make([]int, len(list))
	for i, in := range list {
		shape[3] += n.shape(in)[3]
		if n.quantised(in) != n.quantised(largest) {
			in = n.unary(schema.BuiltinOperatorQUANTIZE, n.alike(largest, n.shape(in)...), in)
		}
		joined[i] = in
	}
	return n.add(concatOperator(), n.alike(largest, shape...), joined...)
}
