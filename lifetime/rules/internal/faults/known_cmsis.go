package faults

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules/internal/kernels"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

// The library of these rows, and the commits in which they were found: the one pinned by
// tflite-micro, and a later one.
const (
	cmsis       = "CMSIS-NN"
	cmsisCommit = "4ab83cc3 to 99f736a"
	wrapper     = "tensorflow/lite/micro/kernels/cmsis_nn/"
	sources     = "CMSIS-NN/Source/"
)

// mveBuilds are the builds for Helium, sizeBuilds the builds for size, whose SVDF kernels lack
// a path; speedBuilds have that path.
var (
	mveBuilds   = variants(familyCMSIS, "mve", "mve-size")
	sizeBuilds  = variants(familyCMSIS, "dsp-size", "scalar-size")
	speedBuilds = variants(familyCMSIS, "mve", "dsp", "scalar", "mve-size")
)

// cmsisFaults are faults of CMSIS-NN and of the kernels that call it.
var cmsisFaults = []Known{
	{
		When:    "INT8 or INT16 with a fused activation",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorTRANSPOSE_CONV), Effect: Miscomputes, Phase: Eval,
		Link: wrapper + "transpose_conv.cc:122", why: both(of(in(2), i8, i16), ignoredActivation),
	},
	{
		When:    "INT8, and padding before the output that is not a multiple of the vertical stride (1)",
		Library: cmsis, Versions: "4ab83cc3, fixed in 99f736a", builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorTRANSPOSE_CONV), Effect: Miscomputes, Phase: Eval,
		Link: sources + "ConvolutionFunctions/arm_transpose_conv_s8.c:141", why: spread(func(t transposed) string {
			if top := t.before(0); t.window.Stride[0] > 0 && top%t.window.Stride[0] != 0 {
				return fmt.Sprintf("has %d rows of padding before its output, not a multiple of its stride %d", top, t.window.Stride[0])
			}
			return ""
		}),
	},
	{
		When:    "INT8, and an output with fewer rows than input, stride and filter make (1)",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorTRANSPOSE_CONV), Effect: Overruns, Phase: Eval,
		Link: sources + "ConvolutionFunctions/arm_transpose_conv_s8.c:143", why: spread(func(t transposed) string {
			if rows := t.rows(); rows > t.out[0] {
				return fmt.Sprintf("writes %d rows of an output of %d", rows, t.out[0])
			}
			return ""
		}),
	},
	{
		When:    "INT8, and an output with more rows than input, stride and filter make (1)",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorTRANSPOSE_CONV), Effect: Unwritten, Phase: Eval,
		Link: sources + "ConvolutionFunctions/arm_transpose_conv_s8.c:216", why: spread(func(t transposed) string {
			if rows := t.rows(); rows < t.out[0] {
				return fmt.Sprintf("writes %d rows of an output of %d", rows, t.out[0])
			}
			return ""
		}),
	},
	{
		When:    "INT8, and an output with more columns than input, stride and filter make (1)",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorTRANSPOSE_CONV), Effect: Miscomputes, Phase: Eval,
		Link: sources + "ConvolutionFunctions/arm_transpose_conv_s8.c:216", why: spread(func(t transposed) string {
			if columns, need := t.columns(), t.before(1)+t.out[1]; columns < need {
				return fmt.Sprintf("computes %d columns where its output takes %d", columns, need)
			}
			return ""
		}),
	},
	{
		When:    "INT8, and more padding before the output than the rows of the input reach (1)",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorTRANSPOSE_CONV), Effect: Miscomputes, Phase: Eval,
		Link: sources + "ConvolutionFunctions/arm_transpose_conv_s8.c:216", why: spread(func(t transposed) string {
			if top := t.before(0); t.in[0]*t.window.Stride[0] < top {
				return fmt.Sprintf("has %d rows of padding before an output that its input of %d rows reaches", top, t.in[0])
			}
			return ""
		}),
	},
	{
		When:    "INT8, and a horizontal stride larger than the filter's width and the vertical stride (1)",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorTRANSPOSE_CONV), Effect: Overruns, Phase: Eval,
		Link: sources + "ConvolutionFunctions/arm_transpose_conv_get_buffer_sizes_s8.c:74", why: spread(func(t transposed) string {
			if w := t.window; w.Stride[1] > max(w.Kernel[1], w.Stride[0]) {
				return fmt.Sprintf("writes past its scratch, whose size is computed from the vertical stride %d instead of the horizontal %d", w.Stride[0], w.Stride[1])
			}
			return ""
		}),
	},
	{
		When:    "INT16 without a bias",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorTRANSPOSE_CONV), Effect: Crashes, Phase: Prepare,
		Link: wrapper + "transpose_conv.cc:134", why: both(of(in(2), i16), given(unbiased(3), "has no bias, which its kernel dereferences")),
	},
	{
		When:    "INT8, several groups, no bias",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorCONV_2D), Effect: Crashes, Phase: Eval,
		Link: sources + "ConvolutionFunctions/arm_convolve_s8.c:384", why: both(pairOf(in(0), i8, in(1), i8), both(unbiased(2), groups("has %d groups and no bias, which its kernel dereferences"))),
	},
	{
		When:    "INT16, several groups",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorCONV_2D), Effect: Miscomputes, Phase: Eval,
		Link: sources + "ConvolutionFunctions/arm_convolve_s16.c:79", why: both(of(in(0), i16), groups("computes its %d groups as one and reads outside its filter")),
	},
	{
		When:    "INT8 with INT4 weights, several groups",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorCONV_2D), Effect: Miscomputes, Phase: Eval,
		Link: sources + "ConvolutionFunctions/arm_convolve_s4.c:89", why: both(pairOf(in(0), i8, in(1), i4), groups("computes its %d groups as one and reads outside its filter")),
	},
	{
		When:    "INT16, one group, no bias",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorCONV_2D), Effect: Miscomputes, Phase: Eval, Evidence: Rounding,
		Link: wrapper + "conv.cc:395", why: both(of(in(0), i16), both(unbiased(2), func(k kernel) string {
			if groups("%d")(k) != "" {
				return ""
			}
			return "has no bias, so it rounds in 32 bits and some values are one step off"
		})),
	},
	{
		When:    "INT8 with INT4 weights, an odd number of input channels, and a depth multiplier above 1, or padding with several batches or a dilation",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorDEPTHWISE_CONV_2D), Effect: Miscomputes, Phase: Eval,
		Link: sources + "ConvolutionFunctions/arm_depthwise_conv_s4.c:175", why: both(pairOf(in(0), i8, in(1), i4), func(k kernel) string {
			g, ok := k.sliding()
			channels := kernels.Dim(k.input(0), 3)
			if !ok || channels%2 == 0 || g.window.Kernel == [2]int64{1, 1} && g.out == [2]int64{1, 1} {
				return ""
			}
			// The kernel steps from nibble to nibble, even if padding skips elements of its
			// filter.
			clipped := (g.total(0) > 0 || g.total(1) > 0) && (kernels.Dim(k.input(0), 0) > 1 || g.dilated())
			if clipped || kernels.Dim(k.output(0), 3) != channels {
				return fmt.Sprintf("mixes up the INT4 weights of its %d channels, an odd number", channels)
			}
			return ""
		}),
	},
	{
		When:    "INT16 with per-channel weights",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorFULLY_CONNECTED), Effect: Refuses, Phase: Prepare,
		Link: wrapper + "fully_connected.cc:116", why: both(of(in(0), i16), perChannelWeights("refuses INT16 with %d scales of weights")),
	},
	{
		When:    "INT16 with a bias of INT32",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorFULLY_CONNECTED), Effect: Overruns, Phase: Eval,
		Link: wrapper + "fully_connected.cc:388", why: shortBias(2),
	},
	{
		When:    "INT8, an output of more than 2 dimensions, a depth that is a multiple of 4, per-tensor weights",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorFULLY_CONNECTED), Effect: Crashes, Phase: Eval, Evidence: Assertions,
		Link: wrapper + "fully_connected.cc:309", why: pointwiseConnected(func(k kernel) string {
			if quantumOf(k.input(1)).scales > 1 {
				return ""
			}
			return "runs as a convolution, where an assertion requires four scratch buffers before its own"
		}),
	},
	{
		When:    "an output of 1 dimension or of more than 4",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorFULLY_CONNECTED), Effect: Crashes, Phase: Prepare, Evidence: Assertions,
		Link: wrapper + "fully_connected.cc:94", why: func(k kernel) string {
			if n := len(k.output(0).Shape); n == 1 || n > 4 {
				return fmt.Sprintf("has an output of %d dimensions, and an assertion requires 2 to 4", n)
			}
			return ""
		},
	},
	{
		When:    "INT8, an output of more than 2 dimensions, a depth that is a multiple of 4, weights with a zero point other than 0",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorFULLY_CONNECTED), Effect: Miscomputes, Phase: Eval,
		Link: wrapper + "fully_connected.cc:289", why: pointwiseConnected(func(k kernel) string {
			if zero := quantumOf(k.input(1)).zero; zero != 0 {
				return fmt.Sprintf("ignores the zero point %d of its weights", zero)
			}
			return ""
		}),
	},
	{
		When:    "an operand of more than 4 dimensions",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorBATCH_MATMUL), Effect: Refuses, Phase: Prepare,
		Link: wrapper + "batch_matmul.cc:219", why: rankAbove(4, "refuses an operand of %d dimensions", in(0), in(1)),
	},
	{
		When:    "an input of more than 4 dimensions",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorMAXIMUM, schema.BuiltinOperatorMINIMUM), Effect: Crashes, Phase: Eval,
		Link: wrapper + "maximum_minimum.cc:34", why: rankAbove(4, "has an input of %d dimensions, and 4 are the most", in(0), in(1)),
	},
	{
		When:    "INT8; in [N,H,W,C], one input has several rows of one element and the other several columns",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorMAXIMUM, schema.BuiltinOperatorMINIMUM), Effect: Overruns, Phase: Eval,
		Link: sources + "BasicMathFunctions/arm_maximum_s8.c:197", why: both(of(in(0), i8), func(k kernel) string {
			a, b := k.input(0).Shape, k.input(1).Shape
			if columnOverRow(a, b) || columnOverRow(b, a) {
				return fmt.Sprintf("broadcasts %v and %v incorrectly and reads outside them", a, b)
			}
			return ""
		}),
	},
	{
		When:    "INT8, 5 dimensions, and a first dimension of the output above 1",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorPAD, schema.BuiltinOperatorPADV2), Effect: Unwritten, Phase: Eval,
		Link: wrapper + "pad.cc:55", why: both(of(in(0), i8), both(func(k kernel) bool {
			return kernels.Dim(k.output(0), 0) > 1 // otherwise, the last 4 are all
		}, rankAbove(4, "pads the last 4 of %d dimensions alone", in(0)))),
	},
	{
		When:    "INT8, 2 dimensions above 1, and the identity permutation",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorTRANSPOSE), Effect: Miscomputes, Phase: Eval,
		Link: sources + "TransposeFunctions/arm_transpose_s8.c:193", why: both(of(in(0), i8), func(k kernel) string {
			if x := k.input(0).Shape; len(x) == 2 && x[0] > 1 && x[1] > 1 && slices.Equal(k.constants(k.input(1)), []int32{0, 1}) {
				return "transposes its 2 dimensions although its permutation is the identity"
			}
			return ""
		}),
	},
	{
		When:    "INT8, 4 dimensions, the last two above 1, and the identity permutation",
		Library: cmsis, Versions: cmsisCommit, builds: mveBuilds, operators: ops(schema.BuiltinOperatorTRANSPOSE), Effect: Miscomputes, Phase: Eval,
		Link: sources + "TransposeFunctions/arm_transpose_s8.c:232", why: both(of(in(0), i8), func(k kernel) string {
			if x := k.input(0).Shape; len(x) == 4 && x[2] > 1 && x[3] > 1 && slices.Equal(k.constants(k.input(1)), []int32{0, 1, 2, 3}) {
				return "transposes its last 2 dimensions although its permutation is the identity"
			}
			return ""
		}),
	},
	{
		When:    "INT8, 5 dimensions",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorTRANSPOSE), Effect: Unwritten, Phase: Eval,
		Link: wrapper + "transpose.cc:83", why: both(of(in(0), i8), rankAbove(4, "leaves an output of %d dimensions unwritten", in(0))),
	},
	{
		When:    "INT16, rows of one element",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorSOFTMAX), Effect: Miscomputes, Phase: Eval,
		Link: sources + "SoftmaxFunctions/arm_softmax_s16.c:103", why: both(of(in(0), i16), func(k kernel) string {
			if x := k.input(0).Shape; x[len(x)-1] == 1 {
				return "computes rows of one INT16 element incorrectly"
			}
			return ""
		}),
	},
	{
		When:    "INT8 with a state of INT8, built for size without Helium",
		Library: cmsis, Versions: cmsisCommit, builds: sizeBuilds, operators: ops(schema.BuiltinOperatorSVDF), Effect: Refuses, Phase: Eval,
		Link: wrapper + "svdf.cc:204", why: byteState("refuses an INT8 state when built for size"),
	},
	{
		When:    "INT8 with a state of INT8 that input and weights can make exceed 8 bits",
		Library: cmsis, Versions: cmsisCommit, builds: speedBuilds, operators: ops(schema.BuiltinOperatorSVDF), Effect: Miscomputes, Phase: Eval,
		Link: wrapper + "svdf.cc:195", why: both(stateWraps, byteState("does not saturate its INT8 state, whose values wrap around")),
	},
	{
		When:    "INT8, one row, computed as 1 x n: VALID with an odd number of columns left over, or a horizontal stride above 1 with 2 or more columns of padding after the input",
		Library: cmsis, Versions: "99f736a", builds: mveBuilds, operators: ops(schema.BuiltinOperatorCONV_2D), Effect: Miscomputes, Phase: Eval,
		Link: sources + "ConvolutionFunctions/arm_convolve_1_x_n_s8.c", why: oneRow(func(g sliding) string {
			spare := (g.out[1]-1)*g.window.Stride[1] + g.window.Kernel[1] - g.in[1]
			switch {
			case spare < 0 && spare%2 != 0:
				return fmt.Sprintf("takes the %d columns that its windows leave over for padding, so that its last column is wrong", -spare)
			case g.window.Stride[1] >= 2 && spare-spare/2 >= 2:
				return fmt.Sprintf("has %d columns of padding after its input, so that its last column is wrong", spare-spare/2)
			}
			return ""
		}),
	},
	{
		When:    "INT8, one row, one input channel, several output channels",
		Library: cmsis, Versions: "99f736a", builds: mveBuilds, operators: ops(schema.BuiltinOperatorDEPTHWISE_CONV_2D), Effect: Miscomputes, Phase: Eval,
		Link: wrapper + "depthwise_conv.cc:170", why: both(pairOf(in(0), i8, in(1), i8), func(k kernel) string {
			g, ok := k.sliding()
			if ok && kernels.Dim(k.input(0), 3) == 1 && kernels.Dim(k.output(0), 3) > 1 && g.in[0] == 1 && g.window.Kernel[0] == 1 {
				return "requests its scratch with a stride that is never set"
			}
			return ""
		}),
	},
}

// given adds a text to a condition.
//
//go:noinline
func given(holds func(kernel) bool, text string) condition {
	return func(k kernel) string {
		if holds(k) {
			return text
		}
		return ""
	}
}

// groups holds for a convolution with several groups; %d in text is their number.
//
//go:noinline
func groups(text string) condition {
	return func(k kernel) string {
		all, one := kernels.Dim(k.input(0), 3), kernels.Dim(k.input(1), 3)
		if one <= 0 || one >= all {
			return ""
		}
		return fmt.Sprintf(text, all/one)
	}
}

// perChannelWeights holds for weights with several scales; %d in text is their number.
func perChannelWeights(text string) condition {
	return func(k kernel) string {
		if n := quantumOf(k.input(1)).scales; n > 1 {
			return fmt.Sprintf(text, n)
		}
		return ""
	}
}

// rankAbove holds if an operand has more than most dimensions; %d in text is their number.
//
//go:noinline
func rankAbove(most int, text string, list ...operand) condition {
	return func(k kernel) string {
		for _, o := range list {
			if t := k.operand(o); t != nil && len(t.Shape) > most {
				return fmt.Sprintf(text, len(t.Shape))
			}
		}
		return ""
	}
}

// byteState holds for SVDF with time weights and an INT8 state.
func byteState(text string) condition {
	return both(of(in(0), i8), both(pairOf(in(2), i8, in(4), i8), func(kernel) string { return text }))
}

// stateWraps reports whether the values that SVDF writes to its state may exceed INT8: the
// kernel clamps them to INT16. It is true for non-constant weights.
func stateWraps(k kernel) bool {
	x, w, state := k.input(0), k.input(1), k.input(4)
	columns := int(kernels.Dim(w, 1))
	if !k.isConstant(w) || columns == 0 {
		return true
	}
	zero := quantumOf(x).zero
	scale := float64(quantumOf(x).scale) * float64(quantumOf(w).scale) / float64(quantumOf(state).scale)
	data := k.model.Buffer(w).Data
	for row := 0; row+columns <= len(data); row += columns {
		least, most := int64(0), int64(0)
		for _, b := range data[row : row+columns] {
			a, c := int64(int8(b))*(-128-zero), int64(int8(b))*(127-zero)
			least, most = least+min(a, c), most+max(a, c)
		}
		if float64(most)*scale >= 127.5 || float64(least)*scale <= -128.5 {
			return true
		}
	}
	return false
}

// pointwiseConnected is a condition on the matrix products that CMSIS-NN computes as a
// convolution of one pixel.
func pointwiseConnected(why condition) condition {
	return both(pairOf(in(0), i8, in(1), i8), both(func(k kernel) bool {
		return len(k.output(0).Shape) > 2 && kernels.Dim(k.input(1), 1)%4 == 0
	}, why))
}

// columnOverRow reports whether a column is broadcast over rows: in four dimensions, the first
// shape has several rows of one element, and the second several columns.
func columnOverRow(a, b []int32) bool {
	at := func(shape []int32, fromEnd int) int32 {
		if fromEnd > len(shape) {
			return 1
		}
		return shape[len(shape)-fromEnd]
	}
	return at(a, 3) > 1 && at(a, 2) == 1 && at(a, 1) == 1 && at(b, 2) > 1
}

// A sliding is the geometry of a convolution: its window, and the height and width of its input and
// output.
type sliding struct {
	window  op.Window
	in, out [2]int64
}

func (g sliding) dilated() bool { return g.window.Dilation != [2]int64{1, 1} }

// sliding returns the geometry of a convolution whose data is input 0, or false if unavailable.
func (k kernel) sliding() (g sliding, ok bool) { return k.slidingOf(0) }

func (k kernel) slidingOf(data int) (g sliding, ok bool) {
	x, y := k.input(data), k.output(0)
	if x == nil || y == nil || len(x.Shape) != 4 || len(y.Shape) != 4 {
		return g, false
	}
	g.window, ok = op.WindowOf(k.model, k.sub, k.op)
	for axis := range 2 {
		g.in[axis], g.out[axis] = kernels.Dim(x, axis+1), kernels.Dim(y, axis+1)
		ok = ok && g.window.Stride[axis] > 0 && g.window.Kernel[axis] > 0
	}
	return g, ok
}

// oneRow is a condition on the convolutions of one row that CMSIS-NN computes as 1 x n.
func oneRow(why func(g sliding) string) condition {
	return both(pairOf(in(0), i8, in(1), i8), func(k kernel) string {
		g, ok := k.sliding()
		if !ok || g.in[0] != 1 || g.window.Kernel[0] != 1 || g.window.Kernel[1] == 1 || g.dilated() ||
			g.window.Stride[1]*kernels.Dim(k.input(0), 3)%4 != 0 || groups("%d")(k) != "" {
			return ""
		}
		return why(g)
	})
}

// A transposed is a transposed convolution as computed by CMSIS-NN, row by row in a ring
// buffer.
type transposed struct{ sliding }

// spread is a condition on the INT8 transposed convolutions computed this way.
//
//go:noinline
func spread(why func(t transposed) string) condition {
	return both(of(in(2), i8), func(k kernel) string {
		g, ok := k.slidingOf(2)
		if !ok || kernels.Dim(k.input(2), 3) > 16 && g.window.Stride[0] <= 2 && g.window.Stride[1] <= 2 {
			return "" // computed as a convolution of the upscaled input, or not at all
		}
		return why(transposed{g})
	})
}

// before is the padding before the output along an axis, computed by the kernel from the output
// size.
func (t transposed) before(axis int) int64 {
	out, kernel, stride := t.out[axis], t.window.Kernel[axis], t.window.Stride[axis]
	n := (out + stride - 1) / stride
	if t.window.Padding == schema.PaddingVALID {
		n = (out - kernel + stride) / stride
	}
	return max((n-1)*stride+kernel-out, 0) / 2
}

// rows is the number of rows that the kernel writes.
func (t transposed) rows() int64 {
	top, reached := t.before(0), t.in[0]*t.window.Stride[0]
	rows := max(0, reached-top)
	tail := t.window.Kernel[0] - t.window.Stride[0]
	return rows + max(0, min(tail, top+t.out[0]-reached)-max(0, top-reached))
}

// columns is the number of columns that the kernel computes.
func (t transposed) columns() int64 {
	return (t.in[1]-1)*t.window.Stride[1] + max(t.window.Kernel[1], t.window.Stride[1])
}
