package kernels

import (
	"fmt"
	"math"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/schema"
)

// Requirements of convolutions, pools and matrix products.

// hybridPairs requires that input and filter have one type, or one of the pairs of types.
func hybridPairs(input, filter operand, list ...pair) law {
	other := pairs(input, filter, list...)
	return prepare(func(k *Kernel) string {
		if x, f := k.operand(input), k.operand(filter); x != nil && f != nil && x.Type == f.Type {
			return ""
		}
		return other.why(k)
	})
}

// perTensor restricts a law to integers with per-tensor weights.
func perTensor(l law) []law {
	return when(func(k *Kernel) bool {
		f := k.input(1)
		return !of(input(0), f32)(k) && f != nil && quantumOf(f).scales <= 1
	}, l)
}

// integerOutput requires a small-integer output unless the input is FLOAT32.
func integerOutput(input operand) []law {
	return when(func(k *Kernel) bool { return !of(input, f32)(k) }, takes(output(0), i8, u8, i16))
}

// perChannelScales rejects a filter with several scales if the input type does not support it.
func perChannelScales(input, filter operand) law {
	return prepare(func(k *Kernel) string {
		x, f := k.operand(input), k.operand(filter)
		if x == nil || f == nil || x.Type == f32 || x.Type == i8 || x.Type == i16 || quantumOf(f).scales == 1 {
			return ""
		}
		return fmt.Sprintf("its %v has the type %v and its filter %d scales, which goes with INT8 and INT16 alone", input, x.Type, quantumOf(f).scales)
	})
}

// bias16 requires an INT32 or INT64 bias for INT16.
func bias16(input, bias operand) []law {
	return later(when(of(input, i16), takes(bias, i32, i64))...)
}

// fullyConnectedScales requires that per-channel weights are bytes, with a scale per index of
// the dimension that they name.
var fullyConnectedScales = prepare(func(k *Kernel) string {
	x, f := k.input(0), k.input(1)
	if x == nil || f == nil || x.Type == f32 {
		return ""
	}
	q := quantumOf(f)
	switch {
	case q.scales <= 1:
		return ""
	case x.Type != i8 && x.Type != i16 || f.Type == i4:
		return fmt.Sprintf("its weights of the type %v have a scale for each channel, which goes with INT8 alone", f.Type)
	case Dim(f, q.along) != int64(q.scales):
		return fmt.Sprintf("its weights have %d scales and the shape %v", q.scales, f.Shape)
	}
	return ""
})

var pooling = laws(lenient, takes(input(0), f32, i8, i16), when(of(input(0), i8, i16), prepare(func(k *Kernel) string {
	a, b := quantumOf(k.input(0)), quantumOf(k.output(0))
	if math.Abs(float64(a.scale)-float64(b.scale)) > 1e-6 || a.zero != b.zero {
		return "its input and its output are quantised in two ways"
	}
	return ""
})))

// pooled requires an input at least as large as a VALID window, from which L2_POOL_2D derives
// the shape of its output.
var pooled = prepare(func(k *Kernel) string {
	var p schema.Pool2DOptions
	x := k.input(0)
	if k.op.Options(schema.BuiltinOptionsPool2DOptions, &p) && p.Padding() == schema.PaddingVALID && (p.FilterHeight() > x.Shape[1] || p.FilterWidth() > x.Shape[2]) {
		return fmt.Sprintf("its input has the shape %v and its window %dx%d", x.Shape, p.FilterHeight(), p.FilterWidth())
	}
	return ""
})

// depths requires that the two matrices of a product have equal depths, and that the output
// have the rank of the larger one.
var depths = prepare(func(k *Kernel) string {
	x, y, o := k.input(0), k.input(1), k.output(0)
	var p schema.BatchMatMulOptions
	adjX, adjY := false, false
	if k.op.Options(schema.BuiltinOptionsBatchMatMulOptions, &p) {
		adjX, adjY = p.AdjX(), p.AdjY()
	}
	a, b := len(x.Shape)-1, len(y.Shape)-2
	if adjX {
		a--
	}
	if adjY {
		b++
	}
	m, n := len(x.Shape)-2, len(y.Shape)-1
	if adjX {
		m++
	}
	if adjY {
		n--
	}
	if Dim(x, a) != Dim(y, b) {
		return fmt.Sprintf("its inputs have the shapes %v and %v, whose products have no one depth", x.Shape, y.Shape)
	}
	batches, ok := broadcast(x.Shape[:len(x.Shape)-2], y.Shape[:len(y.Shape)-2])
	made := append(batches, x.Shape[m], y.Shape[n])
	if !ok || len(o.Shape) < len(made) || elementsOf(o.Shape) != elementsOf(made) {
		return fmt.Sprintf("its inputs have the shapes %v and %v and its output %v", x.Shape, y.Shape, o.Shape)
	}
	return ""
})

// activated requires that the quantised bounds of a fused activation fit into 32 bits.
var activated = when(of(output(0), i8, u8, i16), prepare(func(k *Kernel) string {
	bounds := map[schema.ActivationFunctionType][]float32{
		schema.ActivationFunctionTypeRELU: {0}, schema.ActivationFunctionTypeRELU6: {0, 6}, schema.ActivationFunctionTypeRELU_N1_TO_1: {-1, 1},
	}
	activation := k.activation()
	for _, bound := range bounds[activation] {
		if scale := quantumOf(k.output(0)).scale; !(math.Abs(float64(bound/scale)) <= math.MaxInt32) {
			return fmt.Sprintf("it has the fused activation %v and an output of scale %g, which bounds beyond 32 bits", activation, scale)
		}
	}
	return ""
}))

// activation returns the fused activation of a convolution or a product.
func (k *Kernel) activation() schema.ActivationFunctionType {
	for tag, options := range map[schema.BuiltinOptions]interface {
		flatbuffers.FlatBuffer
		FusedActivationFunction() schema.ActivationFunctionType
	}{
		schema.BuiltinOptionsConv2DOptions: &schema.Conv2DOptions{}, schema.BuiltinOptionsDepthwiseConv2DOptions: &schema.DepthwiseConv2DOptions{},
		schema.BuiltinOptionsTransposeConvOptions: &schema.TransposeConvOptions{}, schema.BuiltinOptionsFullyConnectedOptions: &schema.FullyConnectedOptions{},
		schema.BuiltinOptionsMulOptions: &schema.MulOptions{}, schema.BuiltinOptionsPool2DOptions: &schema.Pool2DOptions{},
		schema.BuiltinOptionsAddOptions: &schema.AddOptions{}, schema.BuiltinOptionsSubOptions: &schema.SubOptions{},
	} {
		if k.op.Options(tag, options) {
			return options.FusedActivationFunction()
		}
	}
	return schema.ActivationFunctionTypeNONE
}

// grouped requires that a CONV_2D filter have at most as many channels as the input, because
// the kernel derives the groups from them.
var grouped = eval(func(k *Kernel) string {
	x, f, o := k.input(0), k.input(1), k.output(0)
	if len(x.Shape) != 4 || len(f.Shape) != 4 || len(o.Shape) != 4 || f.Shape[3] < 1 || x.Shape[3] < f.Shape[3] {
		return fmt.Sprintf("its input, filter and output have the shapes %v, %v and %v", x.Shape, f.Shape, o.Shape)
	}
	return ""
})

// plainWeights rejects a weights format unknown to the runtime.
var plainWeights = prepare(func(k *Kernel) string {
	var o schema.FullyConnectedOptions
	if k.op.Options(schema.BuiltinOptionsFullyConnectedOptions, &o) {
		if _, known := schema.EnumNamesFullyConnectedOptionsWeightsFormat[o.WeightsFormat()]; !known {
			return fmt.Sprintf("its weights have the format %d", o.WeightsFormat())
		}
	}
	return ""
})
