package split_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	flatbuffers "github.com/google/flatbuffers/go"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// randomTransformer returns a network of layers on tokens, the same for a seed everywhere.
func randomTransformer(seed uint64, kind schema.TensorType) (*tflite.Model, error) {
	n := &cnn{Rand: rand.New(rand.NewPCG(seed, uint64(kind)+100)), read: map[int]bool{}}
	n.sub = encode.Subgraph{Name: "main"}
	tokens, width := n.between(2, 9), 4*n.between(1, 3)
	shapes := [][]int32{{1, tokens, width}, {1, tokens, width}, {tokens, width}, {tokens, 2, width}, {2, tokens, width}, {1, 1, tokens, width}, {3, 2, tokens, width}}
	at := n.tensor(kind, 0.58, shapes[n.IntN(len(shapes))]...)
	n.sub.Inputs = []int{at}
	if kind == schema.TensorTypeINT16 {
		n.sub.Tensors[at].Type, n.sub.Tensors[at].Quantization = schema.TensorTypeFLOAT32, encode.Quantization{}
		at = n.requantize(at, kind)
	}
	made := []int{at}
	for range n.between(2, 6) {
		from := made[len(made)-1]
		if n.chance(12) {
			from = made[n.IntN(len(made))]
		}
		made = append(made, n.layer(from))
	}
	return n.model(fmt.Sprintf("transformer %d", seed))
}

// layer adds a random layer of a transformer.
func (n *cnn) layer(in int) int {
	shape := n.shape(in)
	last := len(shape) - 1
	switch n.IntN(12) {
	case 0, 1:
		return n.connect(in, n.between(2, 16))
	case 2:
		return n.norm(in)
	case 3, 4:
		out := n.connect(n.activationOf(n.connect(in, 2*shape[last])), shape[last])
		return n.residualOf(in, n.reshapeTo(out, shape...))
	case 5, 6, 7:
		if len(shape) != 3 || shape[0] != 1 || shape[last]%2 != 0 || shape[1] < 2 {
			return n.merge(in)
		}
		return n.residualOf(in, n.reshapeTo(n.attention(in), shape...))
	case 8:
		if shape[last] > 1 {
			return n.add(softmaxOperator(1), n.range1(in, false), in)
		}
		return n.activationOf(in)
	case 9:
		return n.residualOf(in, n.constant(n.kind(in), 1, shape[n.IntN(len(shape)):]...))
	case 10:
		return n.transposeBy(in, n.Perm(len(shape))...)
	}
	return n.merge(in)
}

// activationOf adds an activation of tensors of any rank.
func (n *cnn) activationOf(in int) int {
	gate := n.unary(schema.BuiltinOperatorLOGISTIC, n.range1(in, false), in)
	return n.add(binaryOperator(schema.BuiltinOperatorMUL, 0), n.tensor(n.kind(in), n.size[in]/2, n.shape(in)...), in, gate)
}

func (n *cnn) residualOf(a, b int) int {
	out := n.tensor(n.kind(a), math.Hypot(n.size[a], n.size[b]), joint(n.shape(a), n.shape(b))...)
	return n.add(binaryOperator(schema.BuiltinOperatorADD, 0), out, a, b)
}

// connect adds a FULLY_CONNECTED layer of all vectors of its input.
func (n *cnn) connect(in int, units int32) int {
	shape := slices.Clone(n.shape(in))
	last := len(shape) - 1
	depth, keep := shape[last], !n.chance(3)
	if shape[last] = units; !keep {
		shape = []int32{int32(count(shape[:last])), units}
	}
	o := fullyConnected(keep)
	list := append([]int{in}, n.weights(in, schema.TensorTypeINT8, 0, int(depth), units, depth)...)
	for len(list) < 3 {
		list = append(list, -1)
	}
	return n.add(o, n.tensor(n.kind(in), n.size[in], shape...), list...)
}

// merge gives a tensor another shape with rows that are rows, or are not.
func (n *cnn) merge(in int) int {
	shape := n.shape(in)
	last := len(shape) - 1
	switch {
	case n.chance(4) && shape[last]%2 == 0 && len(shape) < 4:
		return n.reshapeTo(in, append(slices.Clone(shape[:last]), 2, shape[last]/2)...)
	case len(shape) > 2:
		return n.reshapeTo(in, int32(count(shape[:last])), shape[last])
	}
	return n.reshapeTo(in, 1, shape[0], shape[last])
}

func (n *cnn) reshapeTo(in int, shape ...int32) int {
	return n.add(encode.Operator{Builtin: schema.BuiltinOperatorRESHAPE}, n.alike(in, shape...), in, n.int32s([]int32{int32(len(shape))}, shape...))
}

func (n *cnn) transposeBy(in int, order ...int) int {
	var shape, list []int32
	for _, d := range order {
		shape, list = append(shape, n.shape(in)[d]), append(list, int32(d))
	}
	return n.add(encode.Operator{Builtin: schema.BuiltinOperatorTRANSPOSE}, n.alike(in, shape...), in, n.int32s([]int32{int32(len(list))}, list...))
}

// norm is layer normalisation in simple operators.
func (n *cnn) norm(in int) int {
	mean := n.meanOfChannels(in)
	variance := n.meanOfChannels(n.add(binaryOperator(schema.BuiltinOperatorSQUARED_DIFFERENCE, 0), n.tensor(n.kind(in), n.size[in]*n.size[in], n.shape(in)...), in, mean))
	if n.kind(in) != schema.TensorTypeFLOAT32 {
		return n.residualOf(in, variance) // RSQRT of small numbers saturates
	}
	variance = n.add(binaryOperator(schema.BuiltinOperatorADD, 0), n.tensor(n.kind(in), 1, n.shape(variance)...), variance, n.constant(n.kind(in), 0.5))
	factor := n.unary(schema.BuiltinOperatorRSQRT, n.tensor(n.kind(in), 1, n.shape(variance)...), n.unary(schema.BuiltinOperatorABS, n.tensor(n.kind(in), 1, n.shape(variance)...), variance))
	out := n.add(binaryOperator(schema.BuiltinOperatorMUL, 0), n.tensor(n.kind(in), 1, n.shape(in)...), in, factor)
	shift := n.add(binaryOperator(schema.BuiltinOperatorMUL, 0), n.tensor(n.kind(in), 1, n.shape(mean)...), mean, factor)
	return n.add(binaryOperator(schema.BuiltinOperatorSUB, 0), n.tensor(n.kind(in), 1, n.shape(in)...), out, shift)
}

func (n *cnn) meanOfChannels(in int) int {
	shape := slices.Clone(n.shape(in))
	axis := len(shape) - 1
	shape[axis] = 1
	o := encode.Operator{
		Builtin: schema.BuiltinOperatorMEAN, OptionsType: schema.BuiltinOptionsReducerOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.ReducerOptionsStart(b)
			schema.ReducerOptionsAddKeepDims(b, true)
			return schema.ReducerOptionsEnd(b)
		},
	}
	return n.add(o, n.tensor(n.kind(in), n.size[in], shape...), in, n.int32s([]int32{1}, int32(axis)))
}

// attention is self-attention of [1,tokens,width] with two heads.
func (n *cnn) attention(in int) int {
	tokens, width := n.shape(in)[1], n.shape(in)[2]
	var heads [3]int
	for i := range heads {
		heads[i] = n.transposeBy(n.reshapeTo(n.connect(in, width), 1, tokens, 2, width/2), 0, 2, 1, 3)
	}
	if n.chance(3) { // three dimensions
		for i := range heads {
			heads[i] = n.reshapeTo(heads[i], 2, tokens, width/2)
		}
	}
	adjoint := !n.chance(3)
	if !adjoint {
		order := []int{0, 1, 3, 2}[4-len(n.shape(heads[1])):]
		if len(order) == 3 {
			order = []int{0, 2, 1}
		}
		heads[1] = n.transposeBy(heads[1], order...)
	}
	scores := n.matMul(heads[0], heads[1], tokens, adjoint)
	if n.chance(2) {
		scores = n.add(binaryOperator(schema.BuiltinOperatorADD, 0), n.tensor(n.kind(in), 1, n.shape(scores)...), scores, n.constant(n.kind(in), 1, tokens, tokens))
	}
	scores = n.add(softmaxOperator(1), n.range1(scores, false), scores)
	y := n.reshapeTo(n.matMul(scores, heads[2], width/2, false), 1, 2, tokens, width/2)
	return n.connect(n.reshapeTo(n.transposeBy(y, 0, 2, 1, 3), 1, tokens, width), width)
}

func (n *cnn) matMul(a, b int, columns int32, adjoint bool) int {
	shape := slices.Clone(n.shape(a))
	depth := shape[len(shape)-1]
	shape[len(shape)-1] = columns
	o := encode.Operator{
		Builtin: schema.BuiltinOperatorBATCH_MATMUL, OptionsType: schema.BuiltinOptionsBatchMatMulOptions,
		Options: func(builder *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.BatchMatMulOptionsStart(builder)
			schema.BatchMatMulOptionsAddAdjY(builder, adjoint)
			return schema.BatchMatMulOptionsEnd(builder)
		},
	}
	return n.add(o, n.tensor(n.kind(a), n.size[a]*n.size[b]*math.Sqrt(float64(depth)), shape...), a, b)
}

// fullyConnected returns a FULLY_CONNECTED layer, which may keep the number of dimensions.
func fullyConnected(keep bool) encode.Operator {
	return encode.Operator{
		Builtin: schema.BuiltinOperatorFULLY_CONNECTED, OptionsType: schema.BuiltinOptionsFullyConnectedOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.FullyConnectedOptionsStart(b)
			schema.FullyConnectedOptionsAddKeepNumDims(b, keep)
			return schema.FullyConnectedOptionsEnd(b)
		},
	}
}
