package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/provenance"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// convToFullyConnected computes a CONV_2D whose windows are single pixels, or the whole input, as
// FULLY_CONNECTED with the same weights. Its kernels request no scratch on ESP32-S3 and P4, and less persistent
// memory.
var convToFullyConnected = Rule{
	Name: "conv-to-fully-connected", Purpose: Memory, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorCONV_2D},
	Condition: "a window of 1×1 and stride 1, or a VALID window of the whole input; constant weights, FLOAT32, or INT8 with zero points of 0",
	Result:    "FULLY_CONNECTED with the same weights, after RESHAPE where the window has more than one pixel",
	Reason:    "the products of an output are the same and are added in the same order; the requantisation has the same multipliers",
	Exact:     provenance.Exact{Kernels: provenance.Families, LiteRT: true},
	match: func(s *site) *change {
		w, ok := op.WindowOf(s.m, s.sub, s.op)
		in, filter, bias, out := s.in(0), s.in(1), s.in(2), s.out()
		if !ok || !static(in, filter, out) || len(in.Shape) != 4 || len(filter.Shape) != 4 || len(out.Shape) != 4 || !s.stored(filter) ||
			bias != nil && !bias.Constant || filter.Shape[3] != in.Shape[3] || out.Shape[3] != filter.Shape[0] || !sameProducts(in, filter, bias, out) {
			return nil
		}
		var options schema.Conv2DOptions
		if !s.op.Options(schema.BuiltinOptionsConv2DOptions, &options) {
			return nil
		}
		pixels := w.Kernel == [2]int64{1, 1} && w.Stride == [2]int64{1, 1} && slices.Equal(in.Shape[:3], out.Shape[:3])
		whole := w.Padding == schema.PaddingVALID && w.Dilation == [2]int64{1, 1} && slices.Equal(filter.Shape[1:], in.Shape[1:]) &&
			out.Shape[0] == in.Shape[0] && out.Shape[1] == 1 && out.Shape[2] == 1
		if !pixels && !whole {
			return nil
		}
		c := s.change()
		from, depth := in.Index, int32(elements(filter.Shape[1:]))
		if !pixels {
			from = c.like(in, in.Shape[0], 1, 1, depth)
			c.reshapeTo(in.Index, from, -1, 1, 1, depth) // any batch, which LiteRT may resize
		}
		inputs := []int{from, c.constant(filter, filter.Shape[0], depth)}
		if bias != nil {
			inputs = append(inputs, bias.Index)
		}
		c.add(schema.BuiltinOperatorFULLY_CONNECTED, inputs, out.Index,
			edit.Option{Field: fullyConnectedActivation, Value: int64(options.FusedActivationFunction())},
			edit.Option{Field: fullyConnectedKeepDims, Value: 1})
		return c
	},
}

// stored reports whether the data of a tensor is in a buffer of the file that another tensor can share.
func (s *site) stored(t *tflite.Tensor) bool {
	size, ok := t.PackedBytes()
	return ok && t.Constant && !t.Sparse && !t.Variable && t.Buffer > 0 && !s.m.IsOutside(t) && int64(len(s.m.Buffer(t).Data)) == size
}

// plainProducts reports whether an operator adds products of FLOAT32, or of INT8 with symmetric weights and a bias of INT32,
// and scales the sums. Dimension along of the filter has the output channels.
func plainProducts(in, filter, bias, out *tflite.Tensor, along int) bool {
	kind := schema.TensorTypeFLOAT32
	if in.Type == schema.TensorTypeINT8 {
		kind = schema.TensorTypeINT32
		p, q, r := quantisationOf(in), quantisationOf(filter), quantisationOf(out)
		_, _, okIn := p.perTensor()
		_, _, okOut := r.perTensor()
		perChannel := q.dimension == along && len(q.scales) == int(filter.Shape[along])
		if !okIn || !okOut || !q.symmetric() || q.details || len(q.scales) != 1 && !perChannel {
			return false
		}
	} else if in.Type != schema.TensorTypeFLOAT32 {
		return false
	}
	return filter.Type == in.Type && out.Type == in.Type && (bias == nil || bias.Type == kind)
}

// sameProducts reports whether CONV_2D and FULLY_CONNECTED of the same numbers have the same outputs.
//
// Both add products of single elements to a bias and multiply the sum by input scale * filter scale / output
// scale. CONV_2D computes that in double precision, FULLY_CONNECTED does with a scale for each channel; with one
// scale, it multiplies the first two in single precision.
// (tensorflow/lite/kernels/kernel_util.cc, PopulateConvolutionQuantizationParams and
// GetQuantizedConvolutionMultipler.)
func sameProducts(in, filter, bias, out *tflite.Tensor) bool {
	q := quantisationOf(filter)
	return plainProducts(in, filter, bias, out, 0) && (in.Type == schema.TensorTypeFLOAT32 || len(q.scales) > 1 || sameMultiplier(in, q.scales[0], out))
}

// sameMultiplier reports whether a scale of weights makes the same multiplier in double and in single precision.
func sameMultiplier(in *tflite.Tensor, scale float32, out *tflite.Tensor) bool {
	p, r := quantisationOf(in), quantisationOf(out)
	x, _, okIn := p.perTensor()
	y, _, okOut := r.perTensor()
	return okIn && okOut && y != 0 && multiplierOf(float64(x)*float64(scale)/float64(y)) == multiplierOf(float64(x*scale)/float64(y))
}
