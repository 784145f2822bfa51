package kernels

import (
	"fmt"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
)

// operandFaults are faults that random single-operator models exposed in the reference kernels:
// contradictory operands that no kernel compares, and quantisation that a kernel ignores.
var operandFaults = []Known{
	disregards("tanh.cc", "INT8 and an output quantised otherwise than with scale 1/128 and zero point 0", quantisedAs(i8, 1.0/128, 0), schema.BuiltinOperatorTANH),
	disregards("pad.cc", "INT16 with a zero point other than 0, and padding", paddedWithZero, schema.BuiltinOperatorPAD),
	contradicts(Unwritten, "", "an input without dimensions", func(k *Kernel) string {
		if len(k.input(0).Shape) == 0 {
			return "has an input without dimensions, of which it writes nothing"
		}
		return ""
	}, schema.BuiltinOperatorL2_NORMALIZATION, schema.BuiltinOperatorLOG_SOFTMAX),

	// Types.
	contradicts(Overruns, "", "an output of another type than the input", mixed(input(0), output(0)), schema.BuiltinOperatorFLOOR, schema.BuiltinOperatorNEG, schema.BuiltinOperatorRELU, schema.BuiltinOperatorRELU6,
		schema.BuiltinOperatorHARD_SWISH, schema.BuiltinOperatorZEROS_LIKE, schema.BuiltinOperatorMUL, schema.BuiltinOperatorSQUARED_DIFFERENCE,
		schema.BuiltinOperatorMEAN, schema.BuiltinOperatorAVERAGE_POOL_2D, schema.BuiltinOperatorMAX_POOL_2D, schema.BuiltinOperatorRESIZE_BILINEAR,
		schema.BuiltinOperatorRESIZE_NEAREST_NEIGHBOR, schema.BuiltinOperatorDYNAMIC_UPDATE_SLICE, schema.BuiltinOperatorEXPAND_DIMS,
		schema.BuiltinOperatorGATHER, schema.BuiltinOperatorGATHER_ND, schema.BuiltinOperatorMIRROR_PAD, schema.BuiltinOperatorSLICE,
		schema.BuiltinOperatorSTRIDED_SLICE, schema.BuiltinOperatorDEPTHWISE_CONV_2D),
	contradicts(Overruns, "prelu.cc", "weights or an output of another type than the input (INT16 takes weights of INT8)", func(k *Kernel) string {
		if why := mixed(input(0), output(0))(k); why != "" || of(input(0), i16)(k) {
			return why
		}
		return mixed(input(0), input(1))(k)
	}, schema.BuiltinOperatorPRELU),
	contradicts(Overruns, "slice.cc", "begin and size of different types", mixed(input(1), input(2)), schema.BuiltinOperatorSLICE),
	contradicts(Overruns, "select.cc", "an output of another type than the second input", mixed(input(1), output(0)), schema.BuiltinOperatorSELECT_V2),
	contradicts(Overruns, "", "an output of another type than the input", everyOutput(0), schema.BuiltinOperatorUNPACK, schema.BuiltinOperatorSPLIT_V),
	contradicts(Overruns, "split.cc", "an output of another type than the input", everyOutput(1), schema.BuiltinOperatorSPLIT),
	contradicts(Overruns, "comparisons.cc", "an output of another type than BOOL", func(k *Kernel) string {
		if t := k.output(0); t != nil && t.Type != boolean {
			return fmt.Sprintf("writes its output, which is %v, as BOOL", t.Type)
		}
		return ""
	}, schema.BuiltinOperatorEQUAL, schema.BuiltinOperatorNOT_EQUAL, schema.BuiltinOperatorLESS, schema.BuiltinOperatorLESS_EQUAL, schema.BuiltinOperatorGREATER, schema.BuiltinOperatorGREATER_EQUAL),
	contradicts(Overruns, "", "a bias of a type that does not go with that of the input", biasOf(input(0), input(2)), schema.BuiltinOperatorCONV_2D, schema.BuiltinOperatorDEPTHWISE_CONV_2D, schema.BuiltinOperatorFULLY_CONNECTED),
	contradicts(Overruns, "transpose_conv.cc", "a bias of a type that does not go with that of the input", biasOf(input(2), input(3)), schema.BuiltinOperatorTRANSPOSE_CONV),

	// Parameters that a kernel reads as INT32, whatever their type.
	contradicts(Overruns, "transpose_common.cc", "a permutation of another type than INT32, where that changes its numbers", readAsInt32(input(1)), schema.BuiltinOperatorTRANSPOSE),
	contradicts(Overruns, "pad_common.cc", "paddings of another type than INT32, where that changes their numbers", readAsInt32(input(1)), schema.BuiltinOperatorPAD, schema.BuiltinOperatorPADV2),
	contradicts(Overruns, "strided_slice_common.cc", "begin, end or strides of another type than INT32, where that changes their numbers", readAsInt32(input(1), input(2), input(3)), schema.BuiltinOperatorSTRIDED_SLICE),
	contradicts(Overruns, "", "block sizes or paddings of another type than INT32, where that changes their numbers", readAsInt32(input(1), input(2)), schema.BuiltinOperatorSPACE_TO_BATCH_ND, schema.BuiltinOperatorBATCH_TO_SPACE_ND),
	contradicts(Overruns, "split.cc", "an axis of another type than INT32, where that changes its number", readAsInt32(input(0)), schema.BuiltinOperatorSPLIT),
	contradicts(Overruns, "split_v.cc", "an axis of another type than INT32, where that changes its number", readAsInt32(input(2)), schema.BuiltinOperatorSPLIT_V),
	disregards("lstm_eval_common.cc", "integers, and a cell state whose scale is no power of 2 up to 2^-9 or whose zero point is not 0", func(k *Kernel) string {
		q := quantumOf(k.input(19))
		if _, exponent := math.Frexp(float64(q.scale)); !of(input(0), i8, i16)(k) || q.scale == float32(math.Ldexp(0.5, exponent)) && exponent <= -8 && q.zero == 0 {
			return ""
		}
		return fmt.Sprintf("takes the scale of its cell state for a power of 2 up to 2^-9, and the zero point for 0 (%g, %d)", q.scale, q.zero)
	}, schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_LSTM),
	disregards("lstm_eval_common.cc", "integers, and weights whose zero point is not 0", func(k *Kernel) string {
		for i := 1; i <= 8; i++ {
			if t := k.input(i); of(input(0), i8, i16)(k) && t != nil && quantumOf(t).zero != 0 {
				return fmt.Sprintf("takes the zero point of its weights (input %d) for 0 (%d)", i, quantumOf(t).zero)
			}
		}
		return ""
	}, schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_LSTM),
	disregards("svdf_common.cc", "INT8, and a state whose zero point is not 0", func(k *Kernel) string {
		if t := k.input(4); of(input(0), i8)(k) && quantumOf(t).zero != 0 {
			return fmt.Sprintf("takes the zero point of its state for 0 (%d)", quantumOf(t).zero)
		}
		return ""
	}, schema.BuiltinOperatorSVDF),
	disregards("lstm_eval_common.cc", "integers, and an output quantised otherwise than the output state", func(k *Kernel) string {
		if a, b := quantumOf(k.input(18)), quantumOf(k.output(0)); of(input(0), i8, i16)(k) && (a.scale != b.scale || a.zero != b.zero) {
			return "computes for the quantisation of its output state, and its output has another one"
		}
		return ""
	}, schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_LSTM),

	// Shapes.
	contradicts(Overruns, "depthwise_conv.cc", "a number of output channels other than the input channels times the multiplier", func(k *Kernel) string {
		var p schema.DepthwiseConv2DOptions
		x, o := k.input(0), k.output(0)
		if k.op.Options(schema.BuiltinOptionsDepthwiseConv2DOptions, &p) && Dim(x, 3)*int64(p.DepthMultiplier()) != Dim(o, 3) {
			return fmt.Sprintf("has %d input channels, a multiplier of %d and %d output channels", Dim(x, 3), p.DepthMultiplier(), Dim(o, 3))
		}
		return ""
	}, schema.BuiltinOperatorDEPTHWISE_CONV_2D),
	contradicts(Overruns, "transpose_conv.cc", "another batch than that of the output, or channels of the filter that are not those of input and output", func(k *Kernel) string {
		x, f, o := k.input(2), k.input(1), k.output(0)
		if Dim(x, 0) != Dim(o, 0) || Dim(f, 0) != Dim(o, 3) || Dim(f, 3) != Dim(x, 3) {
			return fmt.Sprintf("has an input of shape %v, a filter of %v and an output of %v", x.Shape, f.Shape, o.Shape)
		}
		return ""
	}, schema.BuiltinOperatorTRANSPOSE_CONV),
	contradicts(Overruns, "", "a bias with fewer elements than the filter has output channels", missingBiases(input(2), 0), schema.BuiltinOperatorCONV_2D, schema.BuiltinOperatorFULLY_CONNECTED),
	contradicts(Overruns, "depthwise_conv.cc", "a bias with fewer elements than the filter has output channels", missingBiases(input(2), 3), schema.BuiltinOperatorDEPTHWISE_CONV_2D),
	contradicts(Overruns, "transpose_conv.cc", "a bias with fewer elements than the filter has output channels", missingBiases(input(3), 0), schema.BuiltinOperatorTRANSPOSE_CONV),
	contradicts(Overruns, "split_v.cc", "outputs that hold more or fewer elements than the input, or have other dimensions", func(k *Kernel) string {
		if k.output(0) == nil {
			return ""
		}
		x, sum, rank := k.input(0), int64(0), len(k.output(0).Shape)
		for i := range k.op.Outputs {
			if t := k.output(i); t != nil {
				sum += Elements(t)
			}
		}
		if n := Elements(x); sum != n || len(x.Shape) != rank {
			return fmt.Sprintf("splits %d elements in %d dimensions into %d in %d", n, len(x.Shape), sum, rank)
		}
		return ""
	}, schema.BuiltinOperatorSPLIT_V),
	contradicts(Overruns, "decode_state_lut.cc", "encoded data or a look-up table that is too short", decoding(LookUpTable, shortTable), schema.BuiltinOperatorCUSTOM),
	contradicts(Overruns, "decode_state_prune.cc", "too few bits or values", decoding(Pruned, shortValues), schema.BuiltinOperatorCUSTOM),
	contradiction,
}

// disregards returns a row about quantisation that a reference kernel ignores.
func disregards(file, when string, why condition, operators ...schema.BuiltinOperator) Known {
	return contradicts(Miscomputes, file, when, why, operators...)
}

// contradicts returns a row about operands that a kernel does not compare. file is "" if the
// row covers kernels in several files.
func contradicts(effect Effect, file, when string, why condition, operators ...schema.BuiltinOperator) Known {
	return Known{
		When: when, Library: Runtime, Versions: RuntimeVersion, builds: everywhere, operators: operators, Effect: effect, Phase: Eval,
		Link: "tensorflow/lite/micro/kernels/" + file, why: why,
	}
}

// quantisedAs holds for an output of a type whose quantisation differs from the one that the
// kernel uses.
func quantisedAs(t schema.TensorType, scale float32, zero int64) condition {
	return provided(of(output(0), t), func(k *Kernel) string {
		if q := quantumOf(k.output(0)); q.scales > 0 && math.Abs(float64(q.scale-scale)) > 1e-6*float64(scale) || q.scales > 0 && q.zero != zero {
			return fmt.Sprintf("computes for an output of scale %g and zero point %d, whatever is in the file (%g, %d)", scale, zero, q.scale, q.zero)
		}
		return ""
	})
}

// paddedWithZero holds for INT16 that PAD fills with 0 instead of its zero point.
func paddedWithZero(k *Kernel) string {
	q := quantumOf(k.output(0))
	if !of(output(0), i16)(k) || q.zero == 0 || elementsOf(k.output(0).Shape) == elementsOf(k.input(0).Shape) {
		return ""
	}
	return fmt.Sprintf("pads with 0 instead of the zero point %d", q.zero)
}

// everyOutput holds if an output differs in type from an input.
func everyOutput(data int) condition {
	return func(k *Kernel) string {
		for i := range k.op.Outputs {
			if why := mixed(input(data), output(i))(k); why != "" {
				return why
			}
		}
		return ""
	}
}

// biasOf holds for a bias type that the kernel does not read.
func biasOf(input, bias operand) condition {
	return func(k *Kernel) string {
		x, b := k.operand(input), k.operand(bias)
		if x == nil || b == nil {
			return ""
		}
		want := map[schema.TensorType][]schema.TensorType{f32: {f32}, i8: {i32}, i16: {i32, i64}}[x.Type]
		if want == nil || slices.Contains(want, b.Type) {
			return ""
		}
		return fmt.Sprintf("reads its bias, which is %v, as %v", b.Type, want[len(want)-1])
	}
}

// readAsInt32 holds for parameters whose values change when the kernel reads them as INT32.
//
//go:noinline
func readAsInt32(list ...operand) condition {
	return func(k *Kernel) string {
		for _, o := range list {
			t := k.operand(o)
			if t == nil || t.Type == i32 {
				continue
			}
			if bits := ElementBits(t.Type); bits < 32 {
				return fmt.Sprintf("reads its %v, which is %v, as INT32, beyond its end", o, t.Type)
			}
			n := int(min(Elements(t), maxRank))
			numbers, words := k.integers(t), k.words(t)
			for i := range min(n, len(words)) {
				if i >= len(numbers) || numbers[i] != int64(words[i]) {
					return fmt.Sprintf("reads its %v, which is %v, as INT32", o, t.Type)
				}
			}
			if !k.isConstant(t) && n > 1 {
				return fmt.Sprintf("reads its %v, which is %v, as INT32", o, t.Type)
			}
		}
		return ""
	}
}

// missingBiases holds for a bias that the kernel reads past its end: it has one value for each output channel, which
// are a dimension of the filter.
func missingBiases(bias operand, channels int) condition {
	return func(k *Kernel) string {
		b := k.operand(bias)
		if n := Dim(k.input(1), channels); b != nil && Elements(b) < n {
			return fmt.Sprintf("has a bias of shape %v for %d output channels", b.Shape, n)
		}
		return ""
	}
}
