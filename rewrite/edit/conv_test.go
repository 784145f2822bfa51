package edit

import (
	"math"
	"math/rand/v2"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/schema"
)

// A convFile is a model of one convolution with padding SAME, with random weights.
type convFile struct {
	// kind is FLOAT32 or INT8; INT8 has quantisation, with a scale a channel.
	kind                   schema.TensorType
	rows, columns, in, out int32
	filter, stride         int32
	depthwise              bool
	// activation is fused.
	activation schema.ActivationFunctionType
	// newer names a table that has a field newer than the schema.
	newer string
}

// start begins a table of so many fields.
func (c convFile) start(b *flatbuffers.Builder, table string, fields int) {
	if c.newer != table {
		b.StartObject(fields)
		return
	}
	b.StartObject(fields + 1)
	b.PrependInt32Slot(fields, 7, 0)
}

// encode returns the file: tensor 0 is the input, 1 the filter, 2 the bias, 3 the output.
func (c convFile) encode() []byte {
	b := flatbuffers.NewBuilder(4096)
	outRows, outColumns := (c.rows+c.stride-1)/c.stride, (c.columns+c.stride-1)/c.stride
	filter := []int32{c.out, c.filter, c.filter, c.in}
	axis := int32(0)
	if c.depthwise {
		filter, axis = []int32{1, c.filter, c.filter, c.out}, 3
	}
	biasKind := schema.TensorTypeFLOAT32
	if c.kind == schema.TensorTypeINT8 {
		biasKind = schema.TensorTypeINT32
	}
	scales := make([]float32, c.out)
	for i := range scales {
		scales[i] = 0.004 + 0.0003*float32(i)
	}
	biasScales := make([]float32, c.out)
	for i := range scales {
		biasScales[i] = scales[i] * 0.05
	}
	r := rand.New(rand.NewPCG(1, 0))
	buffers := []flatbuffers.UOffsetT{
		bufferOf(b, nil), bufferOf(b, weights(r, c.kind, filter)), bufferOf(b, weights(r, biasKind, []int32{c.out})),
	}
	tensors := []flatbuffers.UOffsetT{
		c.tensor(b, "in", []int32{1, c.rows, c.columns, c.in}, c.kind, 0, []float32{0.05}, -7, 0),
		c.tensor(b, "filter", filter, c.kind, 1, scales, 0, axis),
		c.tensor(b, "bias", []int32{c.out}, biasKind, 2, biasScales, 0, 0),
		c.tensor(b, "out", []int32{1, outRows, outColumns, c.out}, c.kind, 0, []float32{0.03}, 5, 0),
	}
	return c.finish(b, buffers, tensors, c.operator(b), c.code(b))
}

func (c convFile) code(b *flatbuffers.Builder) flatbuffers.UOffsetT {
	builtin := schema.BuiltinOperatorCONV_2D
	if c.depthwise {
		builtin = schema.BuiltinOperatorDEPTHWISE_CONV_2D
	}
	schema.OperatorCodeStart(b)
	schema.OperatorCodeAddDeprecatedBuiltinCode(b, int8(builtin))
	schema.OperatorCodeAddBuiltinCode(b, builtin)
	schema.OperatorCodeAddVersion(b, 3)
	return schema.OperatorCodeEnd(b)
}

func (c convFile) operator(b *flatbuffers.Builder) flatbuffers.UOffsetT {
	in, out := int32s(b, 0, 1, 2), int32s(b, 3)
	kind := schema.BuiltinOptionsConv2DOptions
	var options flatbuffers.UOffsetT
	if c.depthwise {
		kind = schema.BuiltinOptionsDepthwiseConv2DOptions
		c.start(b, "options", 7)
		schema.DepthwiseConv2DOptionsAddStrideH(b, c.stride)
		schema.DepthwiseConv2DOptionsAddStrideW(b, c.stride)
		schema.DepthwiseConv2DOptionsAddDepthMultiplier(b, c.out/c.in)
		schema.DepthwiseConv2DOptionsAddFusedActivationFunction(b, c.activation)
		options = schema.DepthwiseConv2DOptionsEnd(b)
	} else {
		c.start(b, "options", 7)
		schema.Conv2DOptionsAddStrideH(b, c.stride)
		schema.Conv2DOptionsAddStrideW(b, c.stride)
		schema.Conv2DOptionsAddFusedActivationFunction(b, c.activation)
		if c.kind == schema.TensorTypeINT8 {
			schema.Conv2DOptionsAddQuantizedBiasType(b, schema.TensorTypeINT32)
		}
		options = schema.Conv2DOptionsEnd(b)
	}
	c.start(b, "operator", 14)
	schema.OperatorAddInputs(b, in)
	schema.OperatorAddOutputs(b, out)
	schema.OperatorAddBuiltinOptionsType(b, kind)
	schema.OperatorAddBuiltinOptions(b, options)
	return schema.OperatorEnd(b)
}

func (c convFile) tensor(b *flatbuffers.Builder, name string, shape []int32, kind schema.TensorType, buffer uint32, scales []float32, zero int64, axis int32) flatbuffers.UOffsetT {
	dims, text := int32s(b, shape...), b.CreateString(name)
	var q flatbuffers.UOffsetT
	if c.kind == schema.TensorTypeINT8 {
		b.StartVector(4, len(scales), 4)
		for i := len(scales) - 1; i >= 0; i-- {
			b.PrependFloat32(scales[i])
		}
		scale := b.EndVector(len(scales))
		b.StartVector(8, len(scales), 8)
		for range scales {
			b.PrependInt64(zero)
		}
		points := b.EndVector(len(scales))
		c.start(b, "quantisation", 7)
		schema.QuantizationParametersAddScale(b, scale)
		schema.QuantizationParametersAddZeroPoint(b, points)
		schema.QuantizationParametersAddQuantizedDimension(b, axis)
		q = schema.QuantizationParametersEnd(b)
	}
	c.start(b, "tensor", 11)
	schema.TensorAddShape(b, dims)
	schema.TensorAddType(b, kind)
	schema.TensorAddBuffer(b, buffer)
	schema.TensorAddName(b, text)
	if q != 0 {
		schema.TensorAddQuantization(b, q)
	}
	return schema.TensorEnd(b)
}

// weights returns random elements.
func weights(r *rand.Rand, kind schema.TensorType, shape []int32) (data []byte) {
	n := int32(1)
	for _, dim := range shape {
		n *= dim
	}
	for range n {
		switch kind {
		case schema.TensorTypeINT8:
			data = append(data, byte(r.IntN(255)-127))
		case schema.TensorTypeINT32:
			data = le.AppendUint32(data, uint32(int32(r.IntN(2000)-1000)))
		default:
			data = le.AppendUint32(data, math.Float32bits(r.Float32()-0.5))
		}
	}
	return data
}

func bufferOf(b *flatbuffers.Builder, data []byte) flatbuffers.UOffsetT {
	if data == nil {
		schema.BufferStart(b)
		return schema.BufferEnd(b)
	}
	b.Prep(16, len(data))
	v := b.CreateByteVector(data)
	schema.BufferStart(b)
	schema.BufferAddData(b, v)
	return schema.BufferEnd(b)
}

func int32s(b *flatbuffers.Builder, list ...int32) flatbuffers.UOffsetT {
	b.StartVector(4, len(list), 4)
	for i := len(list) - 1; i >= 0; i-- {
		b.PrependInt32(list[i])
	}
	return b.EndVector(len(list))
}

func offsets(b *flatbuffers.Builder, list ...flatbuffers.UOffsetT) flatbuffers.UOffsetT {
	b.StartVector(4, len(list), 4)
	for i := len(list) - 1; i >= 0; i-- {
		b.PrependUOffsetT(list[i])
	}
	return b.EndVector(len(list))
}

// finish returns a model of one operator from tensor 0 to the last.
func (c convFile) finish(b *flatbuffers.Builder, buffers, tensors []flatbuffers.UOffsetT, operator, code flatbuffers.UOffsetT) []byte {
	in, out, name := int32s(b, 0), int32s(b, int32(len(tensors)-1)), b.CreateString("main")
	list, operators := offsets(b, tensors...), offsets(b, operator)
	c.start(b, "subgraph", 6)
	schema.SubGraphAddTensors(b, list)
	schema.SubGraphAddInputs(b, in)
	schema.SubGraphAddOutputs(b, out)
	schema.SubGraphAddOperators(b, operators)
	schema.SubGraphAddName(b, name)
	graph := offsets(b, schema.SubGraphEnd(b))
	codes, data := offsets(b, code), offsets(b, buffers...)
	c.start(b, "root", 10)
	schema.ModelAddVersion(b, schema.Version)
	schema.ModelAddOperatorCodes(b, codes)
	schema.ModelAddSubgraphs(b, graph)
	schema.ModelAddBuffers(b, data)
	b.FinishWithFileIdentifier(schema.ModelEnd(b), []byte(schema.Identifier))
	return b.FinishedBytes()
}
