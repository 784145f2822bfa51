package pin_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// drawn is a model of one operator in the making.
type drawn struct {
	*rand.Rand
	model   encode.Model
	sub     encode.Subgraph
	before  []encode.Operator // those in front of op
	op      encode.Operator
	kind    schema.TensorType
	perAxis bool
}

// drawOperator returns a random model of one operator or a few, which the runtime need not take.
func drawOperator(r *rand.Rand) (string, encode.Model) {
	kinds := []schema.TensorType{schema.TensorTypeFLOAT32, schema.TensorTypeINT8, schema.TensorTypeINT8, schema.TensorTypeINT16}
	d := &drawn{Rand: r, kind: kinds[r.IntN(len(kinds))], perAxis: r.IntN(2) == 0}
	draw := draws[r.IntN(len(draws))]
	draw(d)
	d.sub.Operators = append(d.before, d.op)
	d.model.Subgraphs = []encode.Subgraph{d.sub}
	name := fmt.Sprintf("%s%s-%s", d.op.Builtin, d.op.Custom, strings.ToLower(d.kind.String()))
	return name, d.model
}

// dim draws a dimension.
func (d *drawn) dim() int32 { return 1 + d.Int32N(9) }

// channels draws a number of channels, large now and then.
func (d *drawn) channels() int32 {
	if d.IntN(3) == 0 {
		return 1 + d.Int32N(300)
	}
	return 1 + d.Int32N(16)
}

func (d *drawn) tensor(t encode.Tensor) int {
	t.Name = fmt.Sprintf("t%d", len(d.sub.Tensors))
	d.sub.Tensors = append(d.sub.Tensors, t)
	return len(d.sub.Tensors) - 1
}

// activation adds a tensor of the model's type, quantised if that is an integer.
func (d *drawn) activation(shape ...int32) int {
	return d.tensor(encode.Tensor{Type: d.kind, Shape: shape, Quantization: d.quantised(1, 0)})
}

func (d *drawn) quantised(scales int32, dimension int32) (q encode.Quantization) {
	if d.kind == schema.TensorTypeFLOAT32 {
		return q
	}
	for range scales {
		q.Scales, q.Zeros = append(q.Scales, 1.0/256), append(q.Zeros, 0)
	}
	q.Dimension = dimension
	return q
}

// in and out add an activation that is an input or output of operator and graph.
func (d *drawn) in(shape ...int32) {
	i := d.activation(shape...)
	d.op.Inputs, d.sub.Inputs = append(d.op.Inputs, i), append(d.sub.Inputs, i)
}

func (d *drawn) out(shape ...int32) {
	i := d.activation(shape...)
	d.op.Outputs, d.sub.Outputs = append(d.op.Outputs, i), append(d.sub.Outputs, i)
}

// constant adds an input with data.
func (d *drawn) constant(t encode.Tensor, data []byte) {
	d.model.Buffers = append(d.model.Buffers, encode.Buffer{Data: data})
	t.Buffer = len(d.model.Buffers)
	d.op.Inputs = append(d.op.Inputs, d.tensor(t))
}

func (d *drawn) ints(values ...int32) {
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, uint32(v))
	}
	d.constant(encode.Tensor{Type: schema.TensorTypeINT32, Shape: []int32{int32(len(values))}}, data)
}

// weights adds a filter, per channel along a dimension or not.
func (d *drawn) weights(dimension int, shape ...int32) {
	kind, size, scales := schema.TensorTypeINT8, int32(1), int32(1)
	if d.kind == schema.TensorTypeFLOAT32 {
		kind, size = d.kind, 4
	}
	for _, n := range shape {
		size *= n
	}
	if d.perAxis {
		scales = shape[dimension]
	}
	d.constant(encode.Tensor{Type: kind, Shape: shape, Quantization: d.quantised(scales, int32(dimension))}, make([]byte, size))
}

// bias adds one, or leaves it out.
func (d *drawn) bias(channels int32) {
	kind, size, scales := schema.TensorTypeINT32, int32(4), int32(1)
	switch d.kind {
	case schema.TensorTypeFLOAT32:
		kind = d.kind
	case schema.TensorTypeINT16:
		kind, size = schema.TensorTypeINT64, 8
	}
	if d.perAxis {
		scales = channels
	}
	switch d.IntN(4) {
	case 0:
		return
	case 1:
		d.op.Inputs = append(d.op.Inputs, -1)
		return
	}
	d.constant(encode.Tensor{Type: kind, Shape: []int32{channels}, Quantization: d.quantised(scales, 0)}, make([]byte, size*channels))
}

type builder = *flatbuffers.Builder

func (d *drawn) is(code schema.BuiltinOperator) { d.op.Builtin = code }

func (d *drawn) options(kind schema.BuiltinOptions, write func(b builder) flatbuffers.UOffsetT) {
	d.op.OptionsType, d.op.Options = kind, write
}

// draws are the kinds of models.
var draws = []func(*drawn){
	unary, unary, binary2, binary2, comparison, convolution, convolution, depthwise, depthwise,
	fullyConnected, fullyConnected, transposeConvolution, pool, softmax, pad, reduction, concatenation,
	reshape, stridedSlice, batchMatmul, resize, transpose, split, pack, quantise, gather,
	gather, gatherND, embeddingLookup, embeddingLookup, decode, decode, decodes,
}

func unary(d *drawn) {
	codes := []schema.BuiltinOperator{
		schema.BuiltinOperatorABS, schema.BuiltinOperatorRSQRT, schema.BuiltinOperatorCOS, schema.BuiltinOperatorSQRT,
		schema.BuiltinOperatorRELU, schema.BuiltinOperatorRELU6, schema.BuiltinOperatorELU, schema.BuiltinOperatorHARD_SWISH,
		schema.BuiltinOperatorLOGISTIC, schema.BuiltinOperatorTANH, schema.BuiltinOperatorFLOOR, schema.BuiltinOperatorNEG,
		schema.BuiltinOperatorZEROS_LIKE, schema.BuiltinOperatorLOG_SOFTMAX, schema.BuiltinOperatorROUND,
	}
	shape := []int32{1, d.dim(), d.channels()}
	d.is(codes[d.IntN(len(codes))])
	d.in(shape...)
	d.out(shape...)
}

func binary2(d *drawn) {
	shape := []int32{1, d.dim(), d.channels()}
	activation := schema.ActivationFunctionTypeNONE
	switch d.IntN(6) {
	case 0:
		d.is(schema.BuiltinOperatorADD)
		d.options(schema.BuiltinOptionsAddOptions, func(b builder) flatbuffers.UOffsetT {
			schema.AddOptionsStart(b)
			schema.AddOptionsAddFusedActivationFunction(b, activation)
			return schema.AddOptionsEnd(b)
		})
	case 1:
		d.is(schema.BuiltinOperatorMUL)
		d.options(schema.BuiltinOptionsMulOptions, func(b builder) flatbuffers.UOffsetT {
			schema.MulOptionsStart(b)
			return schema.MulOptionsEnd(b)
		})
	case 2:
		d.is(schema.BuiltinOperatorSUB)
		d.options(schema.BuiltinOptionsSubOptions, func(b builder) flatbuffers.UOffsetT {
			schema.SubOptionsStart(b)
			return schema.SubOptionsEnd(b)
		})
	case 3:
		d.is(schema.BuiltinOperatorSQUARED_DIFFERENCE)
	case 4:
		d.is(schema.BuiltinOperatorMAXIMUM)
	default:
		d.is(schema.BuiltinOperatorPRELU)
	}
	d.in(shape...)
	d.in(shape...)
	d.out(shape...)
}

func comparison(d *drawn) {
	if d.kind == schema.TensorTypeINT16 {
		d.kind = schema.TensorTypeINT8 // GREATER computes nonsense of INT16, which the others refuse
	}
	codes := []schema.BuiltinOperator{
		schema.BuiltinOperatorEQUAL, schema.BuiltinOperatorNOT_EQUAL, schema.BuiltinOperatorGREATER,
		schema.BuiltinOperatorGREATER_EQUAL, schema.BuiltinOperatorLESS, schema.BuiltinOperatorLESS_EQUAL,
	}
	shape := []int32{d.dim(), d.dim()}
	d.is(codes[d.IntN(len(codes))])
	d.in(shape...)
	d.in(shape...)
	i := d.tensor(encode.Tensor{Type: schema.TensorTypeBOOL, Shape: shape})
	d.op.Outputs, d.sub.Outputs = []int{i}, []int{i}
}

func convolution(d *drawn) {
	height, width, c, o, k := d.dim(), d.dim(), d.dim(), d.channels(), 1+d.Int32N(3)
	d.is(schema.BuiltinOperatorCONV_2D)
	d.options(schema.BuiltinOptionsConv2DOptions, func(b builder) flatbuffers.UOffsetT {
		schema.Conv2DOptionsStart(b)
		schema.Conv2DOptionsAddStrideH(b, 1)
		schema.Conv2DOptionsAddStrideW(b, 1)
		return schema.Conv2DOptionsEnd(b)
	})
	d.in(1, height, width, c)
	d.weights(0, o, k, k, c)
	d.bias(o)
	d.out(1, height, width, o)
}

func depthwise(d *drawn) {
	height, width, c, k := d.dim(), d.dim(), d.channels(), 1+d.Int32N(3)
	d.is(schema.BuiltinOperatorDEPTHWISE_CONV_2D)
	d.options(schema.BuiltinOptionsDepthwiseConv2DOptions, func(b builder) flatbuffers.UOffsetT {
		schema.DepthwiseConv2DOptionsStart(b)
		schema.DepthwiseConv2DOptionsAddStrideH(b, 1)
		schema.DepthwiseConv2DOptionsAddStrideW(b, 1)
		schema.DepthwiseConv2DOptionsAddDepthMultiplier(b, 1)
		return schema.DepthwiseConv2DOptionsEnd(b)
	})
	d.in(1, height, width, c)
	d.weights(3, 1, k, k, c)
	d.bias(c)
	d.out(1, height, width, c)
}

func transposeConvolution(d *drawn) {
	height, width, c, o, k := d.dim(), d.dim(), d.dim(), d.channels(), 1+d.Int32N(3)
	d.is(schema.BuiltinOperatorTRANSPOSE_CONV)
	d.options(schema.BuiltinOptionsTransposeConvOptions, func(b builder) flatbuffers.UOffsetT {
		schema.TransposeConvOptionsStart(b)
		schema.TransposeConvOptionsAddStrideH(b, 1)
		schema.TransposeConvOptionsAddStrideW(b, 1)
		return schema.TransposeConvOptionsEnd(b)
	})
	d.ints(1, height, width, o)
	d.weights(0, o, k, k, c)
	d.in(1, height, width, c)
	d.bias(o)
	d.out(1, height, width, o)
}

func fullyConnected(d *drawn) {
	depth, o := d.channels(), d.channels()
	d.is(schema.BuiltinOperatorFULLY_CONNECTED)
	d.options(schema.BuiltinOptionsFullyConnectedOptions, func(b builder) flatbuffers.UOffsetT {
		schema.FullyConnectedOptionsStart(b)
		return schema.FullyConnectedOptionsEnd(b)
	})
	d.in(1, depth)
	d.weights(0, o, depth)
	d.bias(o)
	d.out(1, o)
}

func pool(d *drawn) {
	codes := []schema.BuiltinOperator{schema.BuiltinOperatorAVERAGE_POOL_2D, schema.BuiltinOperatorMAX_POOL_2D, schema.BuiltinOperatorL2_POOL_2D}
	shape := []int32{1, d.dim(), d.dim(), d.channels()}
	d.is(codes[d.IntN(len(codes))])
	d.options(schema.BuiltinOptionsPool2DOptions, func(b builder) flatbuffers.UOffsetT {
		schema.Pool2DOptionsStart(b)
		schema.Pool2DOptionsAddStrideH(b, 1)
		schema.Pool2DOptionsAddStrideW(b, 1)
		schema.Pool2DOptionsAddFilterHeight(b, 2)
		schema.Pool2DOptionsAddFilterWidth(b, 2)
		return schema.Pool2DOptionsEnd(b)
	})
	d.in(shape...)
	d.out(shape...)
}

func softmax(d *drawn) {
	shape := []int32{1, d.channels()}
	d.is(schema.BuiltinOperatorSOFTMAX)
	d.options(schema.BuiltinOptionsSoftmaxOptions, func(b builder) flatbuffers.UOffsetT {
		schema.SoftmaxOptionsStart(b)
		schema.SoftmaxOptionsAddBeta(b, 1)
		return schema.SoftmaxOptionsEnd(b)
	})
	d.in(shape...)
	d.out(shape...)
	q := &d.sub.Tensors[1].Quantization
	switch d.kind {
	case schema.TensorTypeINT8:
		q.Scales, q.Zeros = []float32{1.0 / 256}, []int64{-128}
	case schema.TensorTypeINT16:
		q.Scales, q.Zeros = []float32{1.0 / 32768}, []int64{0}
	}
}

func pad(d *drawn) {
	height, width, c := d.dim(), d.dim(), d.dim()
	above, left := d.Int32N(min(3, height)), d.Int32N(min(3, width))
	d.is([]schema.BuiltinOperator{schema.BuiltinOperatorPAD, schema.BuiltinOperatorMIRROR_PAD}[d.IntN(2)])
	if d.op.Builtin == schema.BuiltinOperatorMIRROR_PAD {
		d.options(schema.BuiltinOptionsMirrorPadOptions, func(b builder) flatbuffers.UOffsetT {
			schema.MirrorPadOptionsStart(b)
			return schema.MirrorPadOptionsEnd(b)
		})
	}
	d.in(1, height, width, c)
	d.ints(0, 0, above, 0, left, 0, 0, 0)
	d.sub.Tensors[1].Shape = []int32{4, 2}
	d.out(1, height+above, width+left, c)
}

func reduction(d *drawn) {
	codes := []schema.BuiltinOperator{schema.BuiltinOperatorMEAN, schema.BuiltinOperatorSUM, schema.BuiltinOperatorREDUCE_MAX, schema.BuiltinOperatorREDUCE_MIN}
	height, width, c := d.dim(), d.dim(), d.channels()
	d.is(codes[d.IntN(len(codes))])
	d.options(schema.BuiltinOptionsReducerOptions, func(b builder) flatbuffers.UOffsetT {
		schema.ReducerOptionsStart(b)
		schema.ReducerOptionsAddKeepDims(b, true)
		return schema.ReducerOptionsEnd(b)
	})
	d.in(1, height, width, c)
	d.ints(1, 2)
	d.out(1, 1, 1, c)
}

func concatenation(d *drawn) {
	height, all := d.dim(), int32(0)
	d.is(schema.BuiltinOperatorCONCATENATION)
	d.options(schema.BuiltinOptionsConcatenationOptions, func(b builder) flatbuffers.UOffsetT {
		schema.ConcatenationOptionsStart(b)
		schema.ConcatenationOptionsAddAxis(b, 1)
		return schema.ConcatenationOptionsEnd(b)
	})
	for range 1 + d.IntN(10) {
		c := d.dim()
		all += c
		d.in(height, c)
	}
	d.out(height, all)
}

func reshape(d *drawn) {
	height, c := d.dim(), d.channels()
	shape := []int32{1, height * c}
	if d.IntN(3) == 0 {
		shape[d.IntN(2)] = -1
	}
	d.is([]schema.BuiltinOperator{schema.BuiltinOperatorRESHAPE, schema.BuiltinOperatorSQUEEZE}[d.IntN(2)])
	d.in(1, height, c)
	if d.op.Builtin == schema.BuiltinOperatorRESHAPE {
		d.ints(shape...)
		if shape[0] < 0 {
			shape[1] = height * c
		}
		d.options(schema.BuiltinOptionsReshapeOptions, func(b builder) flatbuffers.UOffsetT {
			schema.ReshapeOptionsStart(b)
			return schema.ReshapeOptionsEnd(b)
		})
		d.out(shape...)
		return
	}
	d.out(height, c)
}

func stridedSlice(d *drawn) {
	height, c := 1+d.dim(), d.channels()
	if d.IntN(2) == 0 {
		d.is(schema.BuiltinOperatorSLICE)
		d.in(height, c)
		d.ints(1, 0)
		d.ints(height-1, c)
		d.out(height-1, c)
		return
	}
	d.is(schema.BuiltinOperatorSTRIDED_SLICE)
	d.options(schema.BuiltinOptionsStridedSliceOptions, func(b builder) flatbuffers.UOffsetT {
		schema.StridedSliceOptionsStart(b)
		return schema.StridedSliceOptionsEnd(b)
	})
	d.in(height, c)
	d.ints(1, 0)
	d.ints(height, c)
	d.ints(1, 1)
	d.out(height-1, c)
}

func batchMatmul(d *drawn) {
	m, k, n := d.dim(), d.dim(), d.channels()
	x, y := d.IntN(2) == 0, d.IntN(2) == 0
	left, right := []int32{m, k}, []int32{k, n}
	if x {
		left = []int32{k, m}
	}
	if y {
		right = []int32{n, k}
	}
	d.is(schema.BuiltinOperatorBATCH_MATMUL)
	d.options(schema.BuiltinOptionsBatchMatMulOptions, func(b builder) flatbuffers.UOffsetT {
		schema.BatchMatMulOptionsStart(b)
		schema.BatchMatMulOptionsAddAdjX(b, x)
		schema.BatchMatMulOptionsAddAdjY(b, y)
		return schema.BatchMatMulOptionsEnd(b)
	})
	d.in(left...)
	d.in(right...)
	d.out(m, n)
}

func resize(d *drawn) {
	height, width, c := d.dim(), d.dim(), d.channels()
	d.is([]schema.BuiltinOperator{schema.BuiltinOperatorRESIZE_BILINEAR, schema.BuiltinOperatorRESIZE_NEAREST_NEIGHBOR}[d.IntN(2)])
	d.in(1, height, width, c)
	d.ints(2*height, 2*width)
	d.out(1, 2*height, 2*width, c)
}

func transpose(d *drawn) {
	height, c := d.dim(), d.channels()
	d.is(schema.BuiltinOperatorTRANSPOSE)
	d.in(height, c)
	d.ints(1, 0)
	d.out(c, height)
}

func split(d *drawn) {
	n, c := 1+d.Int32N(5), d.dim()
	d.is(schema.BuiltinOperatorSPLIT)
	d.options(schema.BuiltinOptionsSplitOptions, func(b builder) flatbuffers.UOffsetT {
		schema.SplitOptionsStart(b)
		schema.SplitOptionsAddNumSplits(b, n)
		return schema.SplitOptionsEnd(b)
	})
	d.ints(1)
	d.sub.Tensors[0].Shape = nil
	d.in(1, n*c)
	for range n {
		d.out(1, c)
	}
}

func pack(d *drawn) {
	c, n := d.channels(), 1+d.Int32N(4)
	d.is(schema.BuiltinOperatorPACK)
	d.options(schema.BuiltinOptionsPackOptions, func(b builder) flatbuffers.UOffsetT {
		schema.PackOptionsStart(b)
		schema.PackOptionsAddValuesCount(b, n)
		return schema.PackOptionsEnd(b)
	})
	for range n {
		d.in(c)
	}
	d.out(n, c)
}

func quantise(d *drawn) {
	if d.kind == schema.TensorTypeFLOAT32 {
		d.kind = schema.TensorTypeINT8
	}
	shape := []int32{d.dim(), d.channels()}
	d.is([]schema.BuiltinOperator{schema.BuiltinOperatorQUANTIZE, schema.BuiltinOperatorDEQUANTIZE}[d.IntN(2)])
	d.in(shape...)
	d.out(shape...)
	float := 0
	if d.op.Builtin == schema.BuiltinOperatorDEQUANTIZE {
		float = 1
	}
	d.sub.Tensors[float].Type, d.sub.Tensors[float].Quantization = schema.TensorTypeFLOAT32, encode.Quantization{}
}
