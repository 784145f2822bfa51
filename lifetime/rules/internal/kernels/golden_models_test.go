package kernels

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// recorded builds a model of one operator for the rows of each file.
var recorded = map[string]func(recordedRow) encode.Model{
	"conv_2d": func(r recordedRow) encode.Model {
		return single(schema.BuiltinOperatorCONV_2D, r.convolution("out_c", "filter_h", "filter_w", "filter_c"),
			schema.BuiltinOptionsConv2DOptions, r.convOptions)
	},
	"depthwise_conv_2d": func(r recordedRow) encode.Model {
		channels := int32(r.int("in_c") * r.int("depth_multiplier"))
		return single(schema.BuiltinOperatorDEPTHWISE_CONV_2D, operands{
			inputs: r.filtered(r.shape("in_n", "in_h", "in_w", "in_c"),
				[]int32{1, int32(r.int("filter_h")), int32(r.int("filter_w")), channels}, channels),
			output: tensor(r["input_type"], append(r.shape("in_n", "out_h", "out_w"), channels)...),
		}, schema.BuiltinOptionsDepthwiseConv2DOptions, r.depthwiseOptions)
	},
	"transpose_conv": func(r recordedRow) encode.Model {
		o := r.convolution("out_c", "filter_h", "filter_w", "in_c")
		x, f, bias := o.inputs[0], o.inputs[1], o.inputs[2:]
		o.inputs = append([]encode.Tensor{tensor("i32", 4), f, x}, bias...)
		return single(schema.BuiltinOperatorTRANSPOSE_CONV, o, schema.BuiltinOptionsTransposeConvOptions, func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.TransposeConvOptionsStart(b)
			schema.TransposeConvOptionsAddPadding(b, r.padding())
			schema.TransposeConvOptionsAddStrideH(b, int32(r.int("stride_h")))
			schema.TransposeConvOptionsAddStrideW(b, int32(r.int("stride_w")))
			return schema.TransposeConvOptionsEnd(b)
		})
	},
	"fully_connected": connectedModel,
	"svdf": func(r recordedRow) encode.Model {
		filters, memory := r.int("num_filters"), r.int("memory_size")
		units := filters / r.int("rank")
		return single(schema.BuiltinOperatorSVDF, operands{
			inputs: []encode.Tensor{
				tensor(r["input_type"], r.shape("batch", "input_size")...),
				tensor(r["input_type"], r.shape("num_filters", "input_size")...),
				tensor(r["weights_time_type"], r.shape("num_filters", "memory_size")...),
				tensor("i32", int32(units)),
				tensor(r["state_type"], int32(r.int("batch")), int32(memory*filters)),
			},
			output: tensor(r["input_type"], int32(r.int("batch")), int32(units)),
		}, 0, nil)
	},
	"average_pool_2d": func(r recordedRow) encode.Model { return r.pool(schema.BuiltinOperatorAVERAGE_POOL_2D) },
	"max_pool_2d":     func(r recordedRow) encode.Model { return r.pool(schema.BuiltinOperatorMAX_POOL_2D) },
	"batch_matmul":    productModel,
	"add":             func(r recordedRow) encode.Model { return r.pairwise(schema.BuiltinOperatorADD) },
	"mul":             func(r recordedRow) encode.Model { return r.pairwise(schema.BuiltinOperatorMUL) },
	"softmax": func(r recordedRow) encode.Model {
		shape := r.shape("d0", "d1", "d2", "d3")[:r.int("rank")]
		return single(schema.BuiltinOperatorSOFTMAX, operands{
			inputs: []encode.Tensor{tensor(r["input_type"], shape...)}, output: tensor(r["output_type"], shape...),
		}, 0, nil)
	},
	"unidirectional_sequence_lstm": memoryModel,
}

// operands are the tensors of an operator.
type operands struct {
	inputs []encode.Tensor
	output encode.Tensor
	data   []encode.Buffer
}

func single(code schema.BuiltinOperator, o operands, kind schema.BuiltinOptions, options func(*flatbuffers.Builder) flatbuffers.UOffsetT) encode.Model {
	op := encode.Operator{Builtin: code, Outputs: []int{len(o.inputs)}, OptionsType: kind, Options: options}
	for i := range o.inputs {
		op.Inputs = append(op.Inputs, i)
	}
	return encode.Model{Buffers: o.data, Subgraphs: []encode.Subgraph{{
		Tensors: append(o.inputs, o.output), Operators: []encode.Operator{op},
	}}}
}

func tensor(kind string, shape ...int32) encode.Tensor {
	return encode.Tensor{Shape: shape, Type: map[string]schema.TensorType{
		"i4": i4, "i8": i8, "i16": i16, "i32": schema.TensorTypeINT32, "i64": schema.TensorTypeINT64,
	}[kind]}
}

// filtered are the inputs of a convolution.
func (r recordedRow) filtered(in, filter []int32, channels int32) []encode.Tensor {
	inputs := []encode.Tensor{tensor(r["input_type"], in...), tensor(r["filter_type"], filter...)}
	if r["bias_type"] != "none" {
		inputs = append(inputs, tensor(r["bias_type"], channels))
	}
	return inputs
}

func (r recordedRow) convolution(filter ...string) operands {
	return operands{
		inputs: r.filtered(r.shape("in_n", "in_h", "in_w", "in_c"), r.shape(filter...), int32(r.int("out_c"))),
		output: tensor(r["input_type"], r.shape("in_n", "out_h", "out_w", "out_c")...),
	}
}

func (r recordedRow) padding() schema.Padding {
	if r["padding"] == "SAME" {
		return schema.PaddingSAME
	}
	return schema.PaddingVALID
}

func (r recordedRow) convOptions(b *flatbuffers.Builder) flatbuffers.UOffsetT {
	schema.Conv2DOptionsStart(b)
	schema.Conv2DOptionsAddPadding(b, r.padding())
	schema.Conv2DOptionsAddStrideH(b, int32(r.int("stride_h")))
	schema.Conv2DOptionsAddStrideW(b, int32(r.int("stride_w")))
	schema.Conv2DOptionsAddDilationHFactor(b, int32(r.int("dilation_h")))
	schema.Conv2DOptionsAddDilationWFactor(b, int32(r.int("dilation_w")))
	return schema.Conv2DOptionsEnd(b)
}

func (r recordedRow) depthwiseOptions(b *flatbuffers.Builder) flatbuffers.UOffsetT {
	schema.DepthwiseConv2DOptionsStart(b)
	schema.DepthwiseConv2DOptionsAddPadding(b, r.padding())
	schema.DepthwiseConv2DOptionsAddStrideH(b, int32(r.int("stride_h")))
	schema.DepthwiseConv2DOptionsAddStrideW(b, int32(r.int("stride_w")))
	schema.DepthwiseConv2DOptionsAddDilationHFactor(b, int32(r.int("dilation_h")))
	schema.DepthwiseConv2DOptionsAddDilationWFactor(b, int32(r.int("dilation_w")))
	schema.DepthwiseConv2DOptionsAddDepthMultiplier(b, int32(r.int("depth_multiplier")))
	return schema.DepthwiseConv2DOptionsEnd(b)
}

func (r recordedRow) pool(code schema.BuiltinOperator) encode.Model {
	return single(code, operands{
		inputs: []encode.Tensor{tensor(r["type"], r.shape("in_n", "in_h", "in_w", "in_c")...)},
		output: tensor(r["type"], r.shape("in_n", "out_h", "out_w", "in_c")...),
	}, schema.BuiltinOptionsPool2DOptions, func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
		schema.Pool2DOptionsStart(b)
		schema.Pool2DOptionsAddPadding(b, r.padding())
		schema.Pool2DOptionsAddStrideH(b, int32(r.int("stride_h")))
		schema.Pool2DOptionsAddStrideW(b, int32(r.int("stride_w")))
		schema.Pool2DOptionsAddFilterHeight(b, int32(r.int("filter_h")))
		schema.Pool2DOptionsAddFilterWidth(b, int32(r.int("filter_w")))
		return schema.Pool2DOptionsEnd(b)
	})
}

func (r recordedRow) pairwise(code schema.BuiltinOperator) encode.Model {
	a, b := r.shape("a_n", "a_h", "a_w", "a_c"), r.shape("b_n", "b_h", "b_w", "b_c")
	var out []int32
	for i := range a {
		out = append(out, max(a[i], b[i]))
	}
	return single(code, operands{inputs: []encode.Tensor{tensor(r["type"], a...), tensor(r["type"], b...)}, output: tensor(r["type"], out...)}, 0, nil)
}
