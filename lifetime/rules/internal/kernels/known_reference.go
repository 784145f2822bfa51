package kernels

import (
	"encoding/binary"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// The runtime with its reference kernels, and the commit in which the rows were found.
const (
	Runtime        = "tflite-micro"
	RuntimeVersion = "90b983c2"
)

// referenceFaults are faults of the reference kernels, most of them shared by all libraries.
var referenceFaults = []Known{
	{
		When:    "bias given as input -1",
		Library: Runtime, Versions: RuntimeVersion, builds: everywhere, operators: ops(schema.BuiltinOperatorDEPTHWISE_CONV_2D), Effect: Crashes, Phase: Prepare,
		Link: "tensorflow/lite/micro/kernels/depthwise_conv_common.cc:132", why: minusOne(2, "its bias"),
	},
	{
		When:    "bias given as input -1",
		Library: Runtime, Versions: RuntimeVersion, builds: everywhere, operators: ops(schema.BuiltinOperatorSVDF), Effect: Crashes, Phase: Prepare,
		Link: "tensorflow/lite/micro/kernels/svdf_common.cc:466", why: minusOne(3, "its bias"),
	},
	{
		When:    "no bias (2 inputs) and more than one output channel",
		Library: Runtime, Versions: RuntimeVersion, builds: family(familyReference), operators: ops(schema.BuiltinOperatorDEPTHWISE_CONV_2D), Effect: Crashes, Phase: Eval, Evidence: Assertions,
		Link: "tensorflow/lite/micro/kernels/depthwise_conv.cc:78", why: depthwiseUnbiased(),
	},
	{
		When:    "INT16 with a bias of INT32",
		Library: Runtime, Versions: RuntimeVersion, builds: everywhere, operators: ops(schema.BuiltinOperatorDEPTHWISE_CONV_2D), Effect: Overruns, Phase: Eval,
		Link: "tensorflow/lite/micro/kernels/depthwise_conv.cc", why: shortBias(2),
	},
	{
		When:    "INT16 with a bias of INT32",
		Library: Runtime, Versions: RuntimeVersion, builds: everywhere, operators: ops(schema.BuiltinOperatorTRANSPOSE_CONV), Effect: Overruns, Phase: Eval,
		Link: "tensorflow/lite/micro/kernels/transpose_conv.cc:392", why: provided(of(input(2), i16), func(k *Kernel) string {
			if of(input(3), i32)(k) {
				return "reads its INT32 bias as INT64, beyond its end"
			}
			return ""
		}),
	},
	{
		When:    "paddings that are not all 0",
		Library: Runtime, Versions: RuntimeVersion, builds: everywhere, operators: ops(schema.BuiltinOperatorSPACE_TO_BATCH_ND), Effect: Stale, Phase: Eval,
		Link: "tensorflow/lite/micro/kernels/space_to_batch_nd.cc:48", why: func(k *Kernel) string {
			if elementsOf(k.output(0).Shape) > elementsOf(k.input(0).Shape) {
				return "fills its padding with a byte that is never initialised (right if the arena was zeroed and the zero point is 0)"
			}
			return ""
		},
	},
	{
		When:    "INT8 or INT16, and input and output quantised differently",
		Library: Runtime, Versions: RuntimeVersion, builds: everywhere, operators: ops(schema.BuiltinOperatorRELU6), Effect: Miscomputes, Phase: Eval,
		Link: "tensorflow/lite/micro/kernels/activations.cc:105", why: provided(of(input(0), i8, i16), func(k *Kernel) string {
			if a, b := quantumOf(k.input(0)), quantumOf(k.output(0)); a.scale != b.scale || a.zero != b.zero {
				return "does not rescale from the quantisation of its input to that of its output"
			}
			return ""
		}),
	},
	{
		When:    "INT32 with a fused activation",
		Library: Runtime, Versions: RuntimeVersion, builds: everywhere, operators: ops(schema.BuiltinOperatorADD), Effect: Miscomputes, Phase: Eval,
		Link: "tensorflow/lite/micro/kernels/add.cc:61", why: provided(of(output(0), i32), ignoredActivation),
	},
	{
		When:    "scales or zero points that differ between channels",
		Library: Runtime, Versions: RuntimeVersion, builds: everywhere, operators: ops(schema.BuiltinOperatorDEQUANTIZE), Effect: Miscomputes, Phase: Eval,
		Link: "tensorflow/lite/micro/kernels/dequantize_common.cc:49", why: func(k *Kernel) string {
			if q := quantumOf(k.input(0)); q.scales > 1 && q.uneven {
				return fmt.Sprintf("applies the first of its %d scales to all channels", q.scales)
			}
			return ""
		},
	},
	{
		When:    "integer weights with a zero point other than 0",
		Library: Runtime, Versions: RuntimeVersion, builds: everywhere, operators: ops(schema.BuiltinOperatorFULLY_CONNECTED), Effect: Crashes, Phase: Prepare, Evidence: Assertions,
		Link: "tensorflow/lite/micro/kernels/fully_connected_common.cc:148", why: shiftedFilter,
	},
	{
		When:    "INT16",
		Library: Runtime, Versions: RuntimeVersion, builds: everywhere, operators: ops(schema.BuiltinOperatorGREATER), Effect: Miscomputes, Phase: Eval,
		Link: "tensorflow/lite/micro/kernels/comparisons.cc:289", why: func(k *Kernel) string {
			if of(input(0), i16)(k) {
				return "compares INT16 with scaling parameters that are never set (and aborts in builds with assertions)"
			}
			return ""
		},
	},
	{
		When:    "FLOAT32 and more than 4 axes",
		Library: Runtime, Versions: RuntimeVersion, builds: everywhere, operators: ops(schema.BuiltinOperatorMEAN), Effect: Overruns, Phase: Eval,
		Link: "tensorflow/lite/micro/kernels/reduce_common.cc:66", why: provided(of(input(0), f32), func(k *Kernel) string {
			if n := Elements(k.input(1)); n > 4 {
				return fmt.Sprintf("copies its %d axes into room for 4", n)
			}
			return ""
		}),
	},
	{
		When:    "an input of more than 5 dimensions",
		Library: Runtime, Versions: RuntimeVersion, builds: everywhere, operators: ops(schema.BuiltinOperatorSLICE), Effect: Crashes, Phase: Prepare,
		Link: "tensorflow/lite/micro/kernels/slice.cc:74", why: func(k *Kernel) string {
			if n := len(k.input(0).Shape); n > 5 {
				return fmt.Sprintf("has an input of %d dimensions, and 5 are the most", n)
			}
			return ""
		},
	},
	{
		When:    "a begin or size with fewer elements than the input has dimensions",
		Library: Runtime, Versions: RuntimeVersion, builds: everywhere, operators: ops(schema.BuiltinOperatorSLICE), Effect: Crashes, Phase: Eval,
		Link: "tensorflow/lite/micro/kernels/slice.cc:40", why: func(k *Kernel) string {
			for i, name := range []string{"begin", "size"} {
				if n, rank := Elements(k.input(1+i)), len(k.input(0).Shape); n < int64(rank) {
					return fmt.Sprintf("has a %s with fewer elements (%d) than its input has dimensions (%d)", name, n, rank)
				}
			}
			return ""
		},
	},
	{
		When:    "constant begin and size that select elements outside the input",
		Library: Runtime, Versions: RuntimeVersion, builds: everywhere, operators: ops(schema.BuiltinOperatorSLICE), Effect: Crashes, Phase: Eval,
		Link: "tensorflow/lite/micro/kernels/slice.cc:95", why: sliceBeyond,
	},
	{
		When:    "a size computed at run time, and an output that is smaller in the file than what may be copied",
		Library: Runtime, Versions: RuntimeVersion, builds: everywhere, operators: ops(schema.BuiltinOperatorSLICE), Effect: Overruns, Phase: Eval,
		Link: "tensorflow/lite/micro/kernels/slice.cc:95", why: sliceUnknown,
	},
	{
		When:    "ellipsis_mask, new_axis_mask, or offset with a begin other than 0",
		Library: Runtime, Versions: RuntimeVersion, builds: everywhere, operators: ops(schema.BuiltinOperatorSTRIDED_SLICE), Effect: Miscomputes, Phase: Eval,
		Link: "tensorflow/lite/micro/kernels/strided_slice_common.cc:119", why: func(k *Kernel) string {
			var p schema.StridedSliceOptions
			if !k.op.Options(schema.BuiltinOptionsStridedSliceOptions, &p) {
				return ""
			}
			switch begin := k.constants(k.input(1)); {
			case p.EllipsisMask() != 0:
				return "ignores its ellipsis_mask"
			case p.NewAxisMask() != 0:
				return "ignores its new_axis_mask"
			case p.Offset() && slices.ContainsFunc(begin, func(n int32) bool { return n != 0 }):
				return "ignores its attribute offset"
			}
			return ""
		},
	},
	{
		When:    "operands of different types",
		Library: Runtime, Versions: RuntimeVersion, builds: except(familyCMSIS), operators: ops(schema.BuiltinOperatorADD), Effect: Miscomputes, Phase: Eval,
		Link: "tensorflow/lite/micro/kernels/add_common.cc:106", why: mixed(input(0), input(1), output(0)),
	},
	{
		When:    "operands of different types",
		Library: Runtime, Versions: RuntimeVersion, builds: everywhere, operators: ops(schema.BuiltinOperatorSUB), Effect: Miscomputes, Phase: Eval,
		Link: "tensorflow/lite/micro/kernels/sub_common.cc", why: mixed(input(0), input(1), output(0)),
	},
	{
		When:    "operands of different types",
		Library: Runtime, Versions: RuntimeVersion, builds: everywhere, operators: ops(schema.BuiltinOperatorMAXIMUM, schema.BuiltinOperatorMINIMUM), Effect: Miscomputes, Phase: Eval,
		Link: "tensorflow/lite/micro/kernels/maximum_minimum.cc", why: mixed(input(0), input(1), output(0)),
	},
	{
		When:    "operands of different types",
		Library: Runtime, Versions: RuntimeVersion, builds: everywhere, operators: ops(schema.BuiltinOperatorEQUAL, schema.BuiltinOperatorNOT_EQUAL, schema.BuiltinOperatorLESS,
			schema.BuiltinOperatorLESS_EQUAL, schema.BuiltinOperatorGREATER, schema.BuiltinOperatorGREATER_EQUAL), Effect: Miscomputes, Phase: Eval,
		Link: "tensorflow/lite/micro/kernels/comparisons.cc:562", why: mixed(input(0), input(1)),
	},
	{
		When:    "an operand that is not BOOL",
		Library: Runtime, Versions: RuntimeVersion, builds: everywhere, operators: ops(schema.BuiltinOperatorLOGICAL_AND, schema.BuiltinOperatorLOGICAL_OR), Effect: Miscomputes, Phase: Eval,
		Link: "tensorflow/lite/micro/kernels/logical_common.cc", why: func(k *Kernel) string {
			for _, o := range []operand{input(0), input(1), output(0)} {
				if t := k.operand(o); t != nil && t.Type != boolean {
					return fmt.Sprintf("reads its %v, which is %v, as BOOL", o, t.Type)
				}
			}
			return ""
		},
	},
	{
		When:    "an input whose type is not that of the output",
		Library: Runtime, Versions: RuntimeVersion, builds: everywhere, operators: ops(schema.BuiltinOperatorPACK), Effect: Miscomputes, Phase: Eval,
		Link: "tensorflow/lite/micro/kernels/pack.cc:101", why: func(k *Kernel) string {
			o := k.output(0)
			for i := range k.op.Inputs {
				if t := k.input(i); t != nil && o != nil && t.Type != o.Type {
					return fmt.Sprintf("reads its input %d, which is %v, as %v", i, t.Type, o.Type)
				}
			}
			return ""
		},
	},
	{
		When:    "INT8, and a constant numerator that contains its zero point",
		Library: Runtime, Versions: RuntimeVersion, builds: everywhere, operators: ops(schema.BuiltinOperatorDIV), Effect: Crashes, Phase: Eval, Evidence: Assertions,
		Link: "tensorflow/lite/kernels/internal/reference/div.h:67", why: provided(of(input(0), i8), func(k *Kernel) string {
			if t := k.input(0); k.isConstant(t) && slices.Contains(k.model.Buffer(t).Data, byte(quantumOf(t).zero)) {
				return "divides a constant that contains its own zero point"
			}
			return ""
		}),
	},
	{
		When:    "a constant index outside the dimension",
		Library: Runtime, Versions: RuntimeVersion, builds: everywhere, operators: ops(schema.BuiltinOperatorGATHER), Effect: Crashes, Phase: Eval,
		Link: "tensorflow/lite/micro/kernels/gather.cc:57", why: func(k *Kernel) string {
			var p schema.GatherOptions
			x, axis := k.input(0), 0
			if k.op.Options(schema.BuiltinOptionsGatherOptions, &p) {
				axis = int(p.Axis())
			}
			if axis < 0 {
				axis += len(x.Shape)
			}
			return k.outOfRange(k.input(1), Dim(x, axis))
		},
	},
}

func ops(list ...schema.BuiltinOperator) []schema.BuiltinOperator { return list }

// A condition returns the reason why it holds, as a predicate of the operator, or "".
type condition = func(*Kernel) string

// provided guards a condition.
//
//go:noinline
func provided(guard func(*Kernel) bool, why condition) condition {
	return func(k *Kernel) string {
		if !guard(k) {
			return ""
		}
		return why(k)
	}
}

// pairOf reports whether two operands have these types.
//
//go:noinline
func pairOf(a operand, x schema.TensorType, b operand, y schema.TensorType) func(*Kernel) bool {
	return func(k *Kernel) bool { return of(a, x)(k) && of(b, y)(k) }
}

// minusOne holds if an optional input has the index -1.
func minusOne(i int, what string) condition {
	return func(k *Kernel) string {
		if i < len(k.op.Inputs) && k.op.Inputs[i] < 0 {
			return fmt.Sprintf("gives %s as input -1, which its kernel dereferences; leave the input out", what)
		}
		return ""
	}
}

// unbiased reports whether an input is absent, omitted or -1.
//
//go:noinline
func unbiased(i int) func(*Kernel) bool {
	return func(k *Kernel) bool { return k.input(i) == nil }
}

func depthwiseUnbiased() condition {
	return func(k *Kernel) string {
		if len(k.op.Inputs) == 2 && Dim(k.output(0), 3) > 1 {
			return "has no bias, which an assertion requires"
		}
		return ""
	}
}

// shortBias holds for an INT32 bias that the kernel reads as INT64.
func shortBias(i int) condition {
	return provided(of(input(0), i16), func(k *Kernel) string {
		if of(input(i), i32)(k) {
			return "reads its INT32 bias as INT64, beyond its end"
		}
		return ""
	})
}

// shiftedFilter holds for integer weights with a non-zero zero point.
func shiftedFilter(k *Kernel) string {
	if q := quantumOf(k.input(1)); !of(input(0), f32)(k) && q.zero != 0 {
		return fmt.Sprintf("has weights with the zero point %d", q.zero)
	}
	return ""
}

// ignoredActivation holds for a fused activation.
func ignoredActivation(k *Kernel) string {
	a := schema.ActivationFunctionTypeNONE
	var sum schema.AddOptions
	var conv schema.TransposeConvOptions
	if k.op.Options(schema.BuiltinOptionsAddOptions, &sum) {
		a = sum.FusedActivationFunction()
	} else if k.op.Options(schema.BuiltinOptionsTransposeConvOptions, &conv) {
		a = conv.FusedActivationFunction()
	}
	if a == schema.ActivationFunctionTypeNONE {
		return ""
	}
	return fmt.Sprintf("ignores its fused activation %v", a)
}

// mixed holds if operands differ in type.
//
//go:noinline
func mixed(first operand, rest ...operand) condition {
	return func(k *Kernel) string {
		t := k.operand(first)
		for _, o := range rest {
			if u := k.operand(o); t != nil && u != nil && t.Type != u.Type {
				return fmt.Sprintf("mixes %v (%v) and %v (%v), which its kernel does not convert", t.Type, first, u.Type, o)
			}
		}
		return ""
	}
}

// outOfRange holds for an INT32 constant with an index outside [0, n).
func (k *Kernel) outOfRange(t *tflite.Tensor, n int64) string {
	if t == nil || t.Type != i32 || !k.isConstant(t) {
		return ""
	}
	data := k.model.Buffer(t).Data
	for i := 0; i+4 <= len(data); i += 4 {
		if at := int64(int32(binary.LittleEndian.Uint32(data[i:]))); at < 0 || at >= n {
			return fmt.Sprintf("has the index %d for a dimension of %d", at, n)
		}
	}
	return ""
}

// sliceBeyond holds if constants of SLICE select elements outside its input.
func sliceBeyond(k *Kernel) string {
	x, begin, size := k.input(0), k.integers(k.input(1)), k.integers(k.input(2))
	for i, d := range x.Shape {
		if i >= len(begin) || i >= len(size) {
			break
		}
		if b, n := begin[i], size[i]; b < 0 || b > int64(d) || n < -1 || n >= 0 && n > int64(d)-b {
			return fmt.Sprintf("selects %d elements from %d on of a dimension of %d", n, b, d)
		}
	}
	return ""
}

// sliceUnknown holds if SLICE computes its size at run time and may copy more than its output
// can hold, whose shape in the file represents an unknown one. (Converters write 1 for an
// unknown dimension.)
func sliceUnknown(k *Kernel) string {
	x, o := k.input(0), k.output(0)
	begin, size := k.integers(k.input(1)), k.integers(k.input(2))
	for i, d := range x.Shape {
		j := i - len(x.Shape) + len(o.Shape)
		if j < 0 {
			continue
		}
		most, run := int64(d), "size"
		switch {
		case i < len(size) && size[i] >= 0:
			continue
		case i < len(size) && i < len(begin):
			continue // both are known
		case i < len(size):
			run = "begin"
		case i < len(begin):
			most -= begin[i]
		}
		if int64(o.Shape[j]) < most {
			return fmt.Sprintf("computes its %s at run time and may copy up to %d elements of dimension %d into room for %d", run, most, i, o.Shape[j])
		}
	}
	return ""
}
