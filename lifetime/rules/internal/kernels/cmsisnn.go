package kernels

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime/rules/internal/diagonal"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

// CMSIS-NN: the persistent memory and the scratch of its TensorFlow Lite Micro kernels
// (tflite-micro 90b983c, CMSIS-NN 99f736a, compiled by gcc). It has code for three kinds of
// cores, and a build for size that omits some tables.

const familyCMSIS = "cmsis-nn"

// A core is the instruction set that CMSIS-NN is compiled for.
type core int

const (
	scalar core = iota // no SIMD: Cortex-M0 to M3
	dsp                // the DSP extension: Cortex-M4, M7, M33
	mve                // Helium: Cortex-M52, M55, M85
)

// An armBuild is one of the builds of CMSIS-NN. small is the build for size.
type armBuild struct {
	core  core
	small bool
}

// kernels returns the kernels of a build. The orders of convolutions and pools are measured for cores
// without SIMD, and all others read in the source. With the DSP extension, DEPTHWISE_CONV_2D and
// AVERAGE_POOL_2D first copy the windows of a pixel, which does not increase the distances.
// (tflite-micro 90b983c, kernels/cmsis_nn; CMSIS-NN 99f736a; arm_svdf_s8, arm_softmax_s8)
func (b armBuild) kernels() map[schema.BuiltinOperator]row {
	convolution, depthwise, unmeasured := convolvedByPixel, convolvedByFour, b.core != scalar
	if b.core == mve {
		convolution, depthwise = inBlocks(4, convolvedByHelium), convolvedInBlocks // arm_convolve_1x1_s8_fast
	}
	elementwise := row{sharing: Computing} // each element is read before it is written, at the same index
	return map[schema.BuiltinOperator]row{
		schema.BuiltinOperatorCONV_2D: {
			memory: changed(schema.BuiltinOperatorCONV_2D, 60,
				in(0, 1), out(0), where(inputIs(0, i8, i16), keep(channels), keep(channels)), in(0, 1, 2), out(0), called(0, convolver, b.convolution)).wasting(b.unusedConvolution),
			order:      kernelOrder{ByElement, firstInput(bytesOnly(convolution))},
			unmeasured: unmeasured,
		},
		schema.BuiltinOperatorDEPTHWISE_CONV_2D: {
			memory: changed(schema.BuiltinOperatorDEPTHWISE_CONV_2D, 60,
				in(0, 1), out(0), where(inputIs(0, i8, i16), keep(depthChannels), keep(depthChannels)), in(0, 1, 2), out(0), called(0, depthwiser, b.depthwise)),
			order:      kernelOrder{ByElement, firstInput(bytesOnly(depthwise))},
			unmeasured: unmeasured,
		},
		schema.BuiltinOperatorTRANSPOSE_CONV: {memory: changed(schema.BuiltinOperatorTRANSPOSE_CONV, 76,
			out(0), in(2, 1), keep(channels), keep(channels),
			where(inputIs(2, i8), alwaysCalled(2, "transpose_conv_s8", b.transposedSums), alwaysCalled(2, "transpose_conv_s8_reverse_conv", b.transposedFilter)),
			where(inputIs(2, i16), scratch(times(fixed(8), ofOutput(0, Elements)))),
			where(not(inputIs(2, f32)), in(2, 1, 3), out(0)),
			where(both(inputIs(2, i16), inputIs(3, i16)), scratch(times(fixed(8), ofInput(3, Elements)))))},
		schema.BuiltinOperatorFULLY_CONNECTED: {memory: changed(schema.BuiltinOperatorFULLY_CONNECTED, 72,
			in(0, 1, 2), out(0),
			where(both(not(inputIs(0, f32)), perChannel), keep(eachScale), keep(eachScale)), b.connected)},
		schema.BuiltinOperatorSVDF: {memory: b.svdf(), order: kernelOrder{AtEnd, firstInput(bytesOnly(readWhole))}, unmeasured: true},
		schema.BuiltinOperatorAVERAGE_POOL_2D: {
			memory: changed(schema.BuiltinOperatorAVERAGE_POOL_2D, 36, in(0), out(0), b.averages()),
			order:  kernelOrder{ByElement, bytesOnly(pooledInOrder)}, unmeasured: unmeasured,
		},
		schema.BuiltinOperatorMAX_POOL_2D: {
			memory: changed(schema.BuiltinOperatorMAX_POOL_2D, 36, inOut...),
			order:  kernelOrder{ByElement, bytesOnly(pooledByTap)}, unmeasured: unmeasured,
		},
		schema.BuiltinOperatorSOFTMAX: {
			memory: changed(schema.BuiltinOperatorSOFTMAX, 64,
				in(0), out(0), where(inputIs(0, i16), keep(fixed(1026)), keep(fixed(1026)))),
			order: kernelOrder{ByElement, bytesOnly(rowsAlike)}, unmeasured: true,
		},
		schema.BuiltinOperatorBATCH_MATMUL: {memory: changed(schema.BuiltinOperatorBATCH_MATMUL, 36,
			in(0, 1), out(0), where(adjointX, transposed(0)), where(not(adjointY), transposed(1)),
			where(inputIs(0, i8, i16), keep(fixed(28))), copyOfOut, b.columns())},
		schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_LSTM: {memory: changed(schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_LSTM, 912,
			inputs(0), out(0),
			where(inputIs(0, i8), cellSums(4)), where(inputIs(0, i16), cellSums(8)),
			gate, gate, gate, where(inputIs(0, f32), gate))},
		schema.BuiltinOperatorADD:       elementwise,
		schema.BuiltinOperatorMUL:       elementwise,
		schema.BuiltinOperatorPAD:       {},
		schema.BuiltinOperatorPADV2:     {},
		schema.BuiltinOperatorMAXIMUM:   {},
		schema.BuiltinOperatorMINIMUM:   {},
		schema.BuiltinOperatorTRANSPOSE: {},
	}
}

// changed is the row of a reference kernel, with another struct and other requests.
func changed(code schema.BuiltinOperator, init int64, prepare ...ask) *demand {
	return &demand{options: builtinRows[code].memory.options, init: []ask{data(init, init)}, prepare: prepare}
}

// averages is the accumulator of an average pool: four bytes per channel.
func (b armBuild) averages() ask {
	name := func(k *Kernel) string {
		return map[schema.TensorType]string{i8: "avgpool_s8", i16: "avgpool_s16"}[k.inputType(0)]
	}
	return called(0, name, func(k *Kernel) int64 {
		if b.core != dsp {
			return 0
		}
		return product(4, Dim(k.input(0), 3))
	})
}

// sums is the sums of the given number of weight rows, required only with vectors.
func (b armBuild) sums(rows int64) int64 {
	if b.core != mve {
		return 0
	}
	return product(4, rows)
}

// convolver and depthwiser return the size function for the types of a convolution. The one for
// 4-bit weights is not called for CONV_2D.
func convolver(k *Kernel) string {
	return map[schema.TensorType]string{i8: "convolve_wrapper_s8", i16: "convolve_wrapper_s16"}[k.inputType(0)]
}

func depthwiser(k *Kernel) string {
	switch {
	case k.inputType(0) != i8:
		return ""
	case k.inputType(1) == i4:
		return "depthwise_conv_wrapper_s4"
	}
	return "depthwise_conv_wrapper_s8"
}

// columns is the sums of the columns of the second operand of BATCH_MATMUL.
func (b armBuild) columns() ask {
	return where(inputIs(0, i8), func(k *Kernel, a Asker) {
		columns := axis(-1)(k.output(0))
		by(a, Call{Function: "fully_connected_s8", Filter: [4]int64{0, 1, 1, columns}}, b.sums(columns))
	})
}

// cellSums is the weight sums of the gates of an LSTM, two per gate, with the given bytes per
// element of the state.
func cellSums(bytes int64) ask {
	state := ofInput(cellState, axis(1))
	return keepEach(fixed(8), times(fixed(bytes), state))
}

// svdf keeps the sums of the feature weights if vectors are available; the build for size uses
// scratch instead.
func (b armBuild) svdf() *demand {
	filters := ofInput(1, axis(0))
	sums := func() ask {
		switch {
		case b.small:
			return where(inputIs(0, i8), func(k *Kernel, a Asker) {
				by(a, Call{Function: "svdf_s8", Filter: [4]int64{filters(k), 1, 1, 1}}, b.sums(filters(k)))
			})
		case b.core != mve:
			return all()
		}
		return where(inputIs(0, i8), keep(times(fixed(4), filters)))
	}()
	init := int64(40)
	if b.small {
		init = 44
	}
	return changed(schema.BuiltinOperatorSVDF, init, in(0, 1, 2, 3, 4), out(0),
		scratch(times(fixed(4), ofInput(0, axis(0)), filters)),
		where(inputIs(0, i8), scratch(times(fixed(4), ofInput(0, axis(0)), ofOutput(0, axis(1))))), sums)
}

// cmsisBuilds are the builds of CMSIS-NN.
var cmsisBuilds = []*Library{
	arm("mve", "for Helium (MVE)", armBuild{core: mve}),
	arm("mve-size", "for Helium (MVE)", armBuild{core: mve, small: true}),
	arm("dsp", "for the DSP extension", armBuild{core: dsp}),
	arm("dsp-size", "for the DSP extension", armBuild{core: dsp, small: true}),
	arm("scalar", "without SIMD", armBuild{core: scalar}),
	arm("scalar-size", "without SIMD", armBuild{core: scalar, small: true}),
}

// arm returns a build of CMSIS-NN. Its size functions did not change between two commits, so
// all commits between them are one generation.
func arm(variant, cores string, b armBuild) *Library {
	const from, to = "4ab83cc3", "99f736a"
	purpose := cores + ", built for speed"
	if b.small {
		purpose = cores + ", built for size"
	}
	l := &Library{
		Family: familyCMSIS, Variant: variant, Version: to,
		Summary: "CMSIS-NN " + purpose, Title: "CMSIS-NN " + from + " to " + to + newest + " " + purpose,
		Usual: ARM, Narrow: true, Unmarked: "99f736a", kernels: b.kernels(),
		types: []schema.TensorType{i8, i16},
	}
	older := *l
	older.Version, older.kernels = from, ofUnknownOrder(l.kernels) // orders are known for 99f736a only
	l.Older = []*Library{&older}
	return l
}

// The size functions of CMSIS-NN, in bytes.

// convolution is the scratch of CONV_2D. For 4-bit weights, the runtime calls the 8-bit
// function.
func (b armBuild) convolution(k *Kernel) int64 {
	switch k.inputType(0) {
	case i8:
		return windowed(0, b.convolution8)(k)
	case i16:
		return windowed(0, b.convolution16)(k)
	}
	return 0
}

func (b armBuild) convolution8(g *geometry) int64 {
	switch {
	case !g.padded() && g.filter1x1() && !g.dilated() && g.depth == g.inChannels:
		return 0
	case b.core == mve && g.in[0] == 1 && g.filter[0] == 1 && g.dilation[1] == 1 &&
		product(g.stride[1], g.inChannels)%4 == 0 && g.depth == g.inChannels:
		return lineMVE(g)
	}
	return b.windows8(g.window())
}

// windows8 is the buffer for the windows of four output pixels, in 8 bits for vectors, or of
// two in 16 bits.
func (b armBuild) windows8(window int64) int64 {
	if b.core == mve {
		return product(4, integer.RoundUp(window, 16))
	}
	return product(4, integer.RoundUp(window, 4))
}

func (b armBuild) convolution16(g *geometry) int64 {
	if b.core == mve {
		return product(8, integer.RoundUp(g.window(), 8))
	}
	return product(4, g.window())
}

// lineMVE is the scratch of a one-dimensional convolution with vectors. The middle of the line
// needs none; the ends are copied together with their padding.
func lineMVE(g *geometry) int64 {
	const axis = 1
	width, filter, stride, padding := g.in[axis], g.filter[axis], g.stride[axis], g.padding[axis]
	if stride <= 0 {
		return 0
	}
	odd := ((g.out[axis]-1)*stride + filter - width) % 2
	left, right := int64(0), int64(0)
	if padding != 0 {
		left = max(1, (padding+stride-1)/stride)
	}
	if padding+odd != 0 {
		right = max(1, (padding+odd+stride-1)/stride)
	}
	middle := max(g.out[axis]-left-right, 0)
	if left+middle+right != g.out[axis] {
		return product(4, integer.RoundUp(product(filter, g.inChannels), 16))
	}
	end := product(padding, g.inChannels)
	if odd != 0 {
		end = product(right, g.inChannels)
	}
	return max(product(filter+padding, g.inChannels), product(filter-1, g.inChannels)+end)
}

// depthwise is the scratch of DEPTHWISE_CONV_2D. The kernel for 16-bit inputs uses none.
func (b armBuild) depthwise(k *Kernel) int64 {
	if k.inputType(0) != i8 {
		return 0
	}
	return windowed(0, func(g *geometry) int64 {
		elements := product(g.filter[0], g.filter[1])
		fast := g.multiplier() == 1 && g.batch == 1 && !g.dilated()
		int4 := k.inputType(1) == i4
		switch {
		case b.core == mve && !int4 && g.inChannels == 1 && g.outChannels > 1:
			g.depth = 1 // computed as a convolution
			return b.convolution8(g) + product(g.outChannels, elements)
		case !fast:
			return 0
		case b.core == mve:
			const block = 124 // channels at a time
			return product(4, block, elements)
		case int4, b.core == dsp && !g.small3x3():
			return product(2, elements, g.inChannels)
		}
		return 0
	})(k)
}

// small3x3 reports whether the special kernel for 3x3 filters with a padding of at most 1 is
// used.
func (g *geometry) small3x3() bool {
	return g.filter == [2]int64{3, 3} && g.padding[0] <= 1 && g.padding[1] <= 1
}

// asConvolution reports whether a transposed convolution is computed as a convolution with the
// reversed filter.
func (g *geometry) asConvolution() bool {
	return g.stride[0] <= 2 && g.stride[1] <= 2 && g.inChannels > 16
}

// transposedSums is the first scratch of TRANSPOSE_CONV: for the convolution, or for the sums
// of the output rows that the filter reaches. It uses the vertical stride as the horizontal
// one, as the library does.
func (b armBuild) transposedSums(k *Kernel) int64 {
	return windowed(2, func(g *geometry) int64 {
		if g.asConvolution() {
			return b.windows8(g.window())
		}
		width := product(g.in[1]-1, g.stride[1]) + max(g.filter[1], g.stride[0])
		return product(4, g.outChannels, width, max(g.filter[0], g.stride[0]))
	})(k)
}

// transposedFilter is the second scratch: the reversed filter. If it is not needed, the request
// is made nevertheless.
func (b armBuild) transposedFilter(k *Kernel) int64 {
	return windowed(2, func(g *geometry) int64 {
		if g.asConvolution() {
			return product(g.window(), g.outChannels)
		}
		return 0
	})(k)
}

// connected requests the memory of FULLY_CONNECTED: the multipliers of each channel if it runs
// as a 1x1 convolution; otherwise the sums of its filter rows, which only vectors need, and
// which are persistent if known in advance.
func (b armBuild) connected(k *Kernel, a Asker) {
	y, f := k.output(0), k.input(1)
	function := map[schema.TensorType]string{i8: "fully_connected_s8", i16: "fully_connected_s16"}[k.inputType(0)]
	if function == "" || k.inputType(1) != i8 || y == nil || f == nil {
		return
	}
	units, depth := Dim(y, len(y.Shape)-1), Dim(f, len(f.Shape)-1)
	if k.inputType(0) == i8 && len(y.Shape) > 2 && depth%4 == 0 {
		b.connectedPixels(k, a, units, depth)
		return
	}
	sums := int64(0)
	if k.inputType(0) == i8 {
		sums = b.sums(units)
	}
	if sums > 0 && !b.small && k.embedded(1) && (k.input(2) == nil || k.embedded(2)) {
		a.Keep(1, sums)
		return
	}
	by(a, Call{Function: function, Filter: [4]int64{depth, 1, 1, units}}, sums)
}

// connectedPixels requests the memory of a 1x1 convolution.
func (b armBuild) connectedPixels(k *Kernel, a Asker, units, depth int64) {
	c := Call{
		Function: "convolve_wrapper_s8",
		Input:    [4]int64{1, 1, 1, depth}, Filter: [4]int64{units, 1, 1, depth}, Output: [4]int64{1, 1, 1, units},
		Stride: [2]int64{1, 1}, Dilation: [2]int64{1, 1},
	}
	if !perChannel(k) {
		c.More, c.Always = product(8, units), true
	}
	by(a, c, c.More)
}

// embedded reports whether an input has data in the flatbuffer: the runtime treats only those
// as constant.
func (k *Kernel) embedded(i int) bool {
	t := k.input(i)
	if t == nil {
		return false
	}
	b := k.model.Buffer(t)
	return b.Data != nil && !b.Outside
}

// unusedConvolution is the unused scratch of CMSIS-NN's CONV_2D. (tflite-micro 90b983c,
// kernels/cmsis_nn/conv.cc)
func (b armBuild) unusedConvolution(k *Kernel) (int64, string) {
	if k.inputType(0) != i16 {
		return 0, ""
	}
	return b.convolution(k), "it looks for the type of its bias among its outputs"
}

// Orders.

// convolvedByPixel is CONV_2D of CMSIS-NN: it copies the windows of two pixels, and then writes
// all their channels. With groups, the outermost loop is over the groups, and nothing may
// overlap; the same holds for 1x1 filters with stride 1, whose outermost loop is over pairs of
// channels. (arm_convolve_s8, arm_convolve_1x1_s8_fast)
func convolvedByPixel(k *Loops, input, output int) (diagonal.Nest, bool) {
	in, out, ok := k.pictures(input, output)
	filter := k.sub.Operand(k.op.Inputs, 1)
	w, known := op.WindowOf(k.model, k.sub, k.op)
	one := [2]int64{1, 1}
	switch {
	case !ok || !known || filter == nil || len(filter.Shape) != 4 || int64(filter.Shape[3]) != in.dim(3):
		return diagonal.Nest{}, false
	case w.Kernel == one && w.Dilation == one && w.Stride == one:
		return diagonal.Nest{}, false
	case w.Kernel == one && w.Dilation == one:
		return k.convolvedByRow(w, in, out)
	}
	nest, ok := k.windowed(in, out)
	nest.Unit = out.stride(2)
	return nest, ok
}

// convolvedByRow is the variant for strided 1x1 filters: each output row is computed like a
// whole image otherwise. (arm_convolve_1x1_s8)
func (k *Loops) convolvedByRow(w op.Window, in, out array) (diagonal.Nest, bool) {
	rows, ok := k.slid(w, 0, in, out)
	return diagonal.Nest{Loops: []diagonal.Loop{
		diagonal.Even(out.dim(0), out.stride(0), in.stride(0)), rows,
		diagonal.Even(out.stride(1)/out.width, out.width, 0),
	}, Unit: out.width}, ok
}

// convolvedByFour is DEPTHWISE_CONV_2D of CMSIS-NN. 3x3 filters are computed four channels at a
// time, and the remaining ones one by one; others as in the reference kernel.
// (arm_depthwise_conv_3x3_s8, arm_depthwise_conv_s8)
func convolvedByFour(k *Loops, input, output int) (diagonal.Nest, bool) {
	const block = 4
	in, out, ok := k.pictures(input, output)
	if !ok {
		return diagonal.Nest{}, false
	}
	nest, ok := convolvedByChannel(k, input, output)
	if ok && out.dim(3) == in.dim(3) && in.dim(3)%block == 0 {
		nest, ok = k.windowed(in, out, diagonal.Even(in.dim(3)/block, block*out.width, block*in.width))
	}
	if out.dim(3) == in.dim(3) {
		nest.Unit = block * out.width
	}
	return nest, ok
}

// pooledByTap is MAX_POOL_2D of CMSIS-NN: it copies the first element of a window to the
// output, all channels at once, and then folds in the other elements one by one.
// (arm_max_pool_s8)
func pooledByTap(k *Loops, input, output int) (diagonal.Nest, bool) {
	in, out, ok := k.pictures(input, output)
	if !ok {
		return diagonal.Nest{}, false
	}
	nest, ok := k.windowed(in, out, diagonal.Even(2, 0, in.stride(2)))
	nest.Unit = out.stride(2)
	return nest, ok
}

// convolvedByHelium is CONV_2D of CMSIS-NN on cores with Helium, for filters larger than 1x1.
// It is convolvedByPixel, except that filters of one row have no known order: their middle part
// reads the input without a copy. (arm_convolve_1_x_n_s8)
func convolvedByHelium(k *Loops, input, output int) (diagonal.Nest, bool) {
	in, _, ok := k.pictures(input, output)
	w, known := op.WindowOf(k.model, k.sub, k.op)
	if !ok || !known || w.Kernel[0] == 1 && w.Kernel[1] > 1 && in.dim(1) == 1 {
		return diagonal.Nest{}, false
	}
	return convolvedByPixel(k, input, output)
}

// convolvedInBlocks is DEPTHWISE_CONV_2D of CMSIS-NN on cores with Helium, which copies the
// windows of four pixels. Beyond 124 channels, the outermost loop is over blocks of 124, and
// nothing may overlap. (arm_depthwise_conv_s8_opt, arm_depthwise_conv_s8)
func convolvedInBlocks(k *Loops, input, output int) (diagonal.Nest, bool) {
	const channels = 124
	in, _, ok := k.pictures(input, output)
	if !ok || in.dim(3) > channels {
		return diagonal.Nest{}, false
	}
	return convolvedByChannel(k, input, output)
}

// Known faults.

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
		When:    "FLOAT32, no bias (2 inputs) and more than one output channel",
		Library: Runtime, Versions: RuntimeVersion, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorDEPTHWISE_CONV_2D), Effect: Crashes, Phase: Eval, Evidence: Assertions,
		Link: "tensorflow/lite/micro/kernels/depthwise_conv.cc:78", why: provided(of(input(0), f32), depthwiseUnbiased()),
	},
	{
		When:    "operands of different types",
		Library: Runtime, Versions: RuntimeVersion, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorADD), Effect: Refuses, Phase: Prepare,
		Link: wrapper + "add.cc", why: mixed(input(0), input(1), output(0)),
	},
	{
		When:    "INT8 or INT16 with a fused activation",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorTRANSPOSE_CONV), Effect: Miscomputes, Phase: Eval,
		Link: wrapper + "transpose_conv.cc:122", why: provided(of(input(2), i8, i16), ignoredActivation),
	},
	{
		When:    "INT8, and padding before the output that is not a multiple of the vertical stride (1)",
		Library: cmsis, Versions: "4ab83cc3, fixed in 99f736a", builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorTRANSPOSE_CONV), Effect: Miscomputes, Phase: Eval,
		Link: sources + "ConvolutionFunctions/arm_transpose_conv_s8.c:141", why: ofTransposed(func(t transposedConv) string {
			if top := t.before(0); t.window.Stride[0] > 0 && top%t.window.Stride[0] != 0 {
				return fmt.Sprintf("has %d rows of padding before its output, not a multiple of its stride %d", top, t.window.Stride[0])
			}
			return ""
		}),
	},
	{
		When:    "INT8, and an output with fewer rows than input, stride and filter make (1)",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorTRANSPOSE_CONV), Effect: Overruns, Phase: Eval,
		Link: sources + "ConvolutionFunctions/arm_transpose_conv_s8.c:143", why: ofTransposed(func(t transposedConv) string {
			if rows := t.rows(); rows > t.out[0] {
				return fmt.Sprintf("writes %d rows of an output of %d", rows, t.out[0])
			}
			return ""
		}),
	},
	{
		When:    "INT8, and an output with more rows than input, stride and filter make (1)",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorTRANSPOSE_CONV), Effect: Unwritten, Phase: Eval,
		Link: sources + "ConvolutionFunctions/arm_transpose_conv_s8.c:216", why: ofTransposed(func(t transposedConv) string {
			if rows := t.rows(); rows < t.out[0] {
				return fmt.Sprintf("writes %d rows of an output of %d", rows, t.out[0])
			}
			return ""
		}),
	},
	{
		When:    "INT8, and an output with more columns than input, stride and filter make (1)",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorTRANSPOSE_CONV), Effect: Miscomputes, Phase: Eval,
		Link: sources + "ConvolutionFunctions/arm_transpose_conv_s8.c:216", why: ofTransposed(func(t transposedConv) string {
			if columns, need := t.columns(), t.before(1)+t.out[1]; columns < need {
				return fmt.Sprintf("computes %d columns where its output takes %d", columns, need)
			}
			return ""
		}),
	},
	{
		When:    "INT8, and more padding before the output than the rows of the input reach (1)",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorTRANSPOSE_CONV), Effect: Miscomputes, Phase: Eval,
		Link: sources + "ConvolutionFunctions/arm_transpose_conv_s8.c:216", why: ofTransposed(func(t transposedConv) string {
			if top := t.before(0); t.in[0]*t.window.Stride[0] < top {
				return fmt.Sprintf("has %d rows of padding before an output that its input of %d rows reaches", top, t.in[0])
			}
			return ""
		}),
	},
	{
		When:    "INT8, and a horizontal stride larger than the filter's width and the vertical stride (1)",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorTRANSPOSE_CONV), Effect: Overruns, Phase: Eval,
		Link: sources + "ConvolutionFunctions/arm_transpose_conv_get_buffer_sizes_s8.c:74", why: ofTransposed(func(t transposedConv) string {
			if w := t.window; w.Stride[1] > max(w.Kernel[1], w.Stride[0]) {
				return fmt.Sprintf("writes past its scratch, whose size is computed from the vertical stride %d instead of the horizontal %d", w.Stride[0], w.Stride[1])
			}
			return ""
		}),
	},
	{
		When:    "INT16 without a bias",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorTRANSPOSE_CONV), Effect: Crashes, Phase: Prepare,
		Link: wrapper + "transpose_conv.cc:134", why: provided(of(input(2), i16), given(unbiased(3), "has no bias, which its kernel dereferences")),
	},
	{
		When:    "INT8, several groups, no bias",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorCONV_2D), Effect: Crashes, Phase: Eval,
		Link: sources + "ConvolutionFunctions/arm_convolve_s8.c:384", why: provided(pairOf(input(0), i8, input(1), i8), provided(unbiased(2), groups("has %d groups and no bias, which its kernel dereferences"))),
	},
	{
		When:    "INT16, several groups",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorCONV_2D), Effect: Miscomputes, Phase: Eval,
		Link: sources + "ConvolutionFunctions/arm_convolve_s16.c:79", why: provided(of(input(0), i16), groups("computes its %d groups as one and reads outside its filter")),
	},
	{
		When:    "INT8 with INT4 weights, several groups",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorCONV_2D), Effect: Miscomputes, Phase: Eval,
		Link: sources + "ConvolutionFunctions/arm_convolve_s4.c:89", why: provided(pairOf(input(0), i8, input(1), i4), groups("computes its %d groups as one and reads outside its filter")),
	},
	{
		When:    "INT16, one group, no bias",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorCONV_2D), Effect: Miscomputes, Phase: Eval, Evidence: Rounding,
		Link: wrapper + "conv.cc:395", why: provided(of(input(0), i16), provided(unbiased(2), func(k *Kernel) string {
			if groups("%d")(k) != "" {
				return ""
			}
			return "has no bias, so it rounds in 32 bits and some values are one step off"
		})),
	},
	{
		When:    "INT8 with INT4 weights, an odd number of input channels, and a depth multiplier above 1, or padding with several batches or a dilation",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorDEPTHWISE_CONV_2D), Effect: Miscomputes, Phase: Eval,
		Link: sources + "ConvolutionFunctions/arm_depthwise_conv_s4.c:175", why: provided(pairOf(input(0), i8, input(1), i4), func(k *Kernel) string {
			g, ok := k.sliding()
			channels := Dim(k.input(0), 3)
			if !ok || channels%2 == 0 || g.window.Kernel == [2]int64{1, 1} && g.out == [2]int64{1, 1} {
				return ""
			}
			// The kernel steps from nibble to nibble, even if padding skips elements of its
			// filter.
			clipped := (g.total(0) > 0 || g.total(1) > 0) && (Dim(k.input(0), 0) > 1 || g.dilated())
			if clipped || Dim(k.output(0), 3) != channels {
				return fmt.Sprintf("mixes up the INT4 weights of its %d channels, an odd number", channels)
			}
			return ""
		}),
	},
	{
		When:    "INT16 with per-channel weights",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorFULLY_CONNECTED), Effect: Refuses, Phase: Prepare,
		Link: wrapper + "fully_connected.cc:116", why: provided(of(input(0), i16), perChannelWeights("refuses INT16 with %d scales of weights")),
	},
	{
		When:    "INT16 with a bias of INT32",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorFULLY_CONNECTED), Effect: Overruns, Phase: Eval,
		Link: wrapper + "fully_connected.cc:388", why: shortBias(2),
	},
	{
		When:    "INT8, an output of more than 2 dimensions, a depth that is a multiple of 4, per-tensor weights",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorFULLY_CONNECTED), Effect: Crashes, Phase: Eval, Evidence: Assertions,
		Link: wrapper + "fully_connected.cc:309", why: pointwiseConnected(func(k *Kernel) string {
			if quantumOf(k.input(1)).scales > 1 {
				return ""
			}
			return "runs as a convolution, where an assertion requires four scratch buffers before its own"
		}),
	},
	{
		When:    "an output of 1 dimension or of more than 4",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorFULLY_CONNECTED), Effect: Crashes, Phase: Prepare, Evidence: Assertions,
		Link: wrapper + "fully_connected.cc:94", why: func(k *Kernel) string {
			if n := len(k.output(0).Shape); n == 1 || n > 4 {
				return fmt.Sprintf("has an output of %d dimensions, and an assertion requires 2 to 4", n)
			}
			return ""
		},
	},
	{
		When:    "INT8, an output of more than 2 dimensions, a depth that is a multiple of 4, weights with a zero point other than 0",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorFULLY_CONNECTED), Effect: Miscomputes, Phase: Eval,
		Link: wrapper + "fully_connected.cc:289", why: pointwiseConnected(func(k *Kernel) string {
			if zero := quantumOf(k.input(1)).zero; zero != 0 {
				return fmt.Sprintf("ignores the zero point %d of its weights", zero)
			}
			return ""
		}),
	},
	{
		When:    "an operand of more than 4 dimensions",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorBATCH_MATMUL), Effect: Refuses, Phase: Prepare,
		Link: wrapper + "batch_matmul.cc:219", why: rankAbove(4, "refuses an operand of %d dimensions", input(0), input(1)),
	},
	{
		When:    "an input of more than 4 dimensions",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorMAXIMUM, schema.BuiltinOperatorMINIMUM), Effect: Crashes, Phase: Eval,
		Link: wrapper + "maximum_minimum.cc:34", why: rankAbove(4, "has an input of %d dimensions, and 4 are the most", input(0), input(1)),
	},
	{
		When:    "INT8; in [N,H,W,C], one input has several rows of one element and the other several columns",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorMAXIMUM, schema.BuiltinOperatorMINIMUM), Effect: Overruns, Phase: Eval,
		Link: sources + "BasicMathFunctions/arm_maximum_s8.c:197", why: provided(of(input(0), i8), func(k *Kernel) string {
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
		Link: wrapper + "pad.cc:55", why: provided(of(input(0), i8), provided(func(k *Kernel) bool {
			return Dim(k.output(0), 0) > 1 // otherwise, the last 4 are all
		}, rankAbove(4, "pads the last 4 of %d dimensions alone", input(0)))),
	},
	{
		When:    "INT8, 2 dimensions above 1, and the identity permutation",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorTRANSPOSE), Effect: Miscomputes, Phase: Eval,
		Link: sources + "TransposeFunctions/arm_transpose_s8.c:193", why: provided(of(input(0), i8), func(k *Kernel) string {
			if x := k.input(0).Shape; len(x) == 2 && x[0] > 1 && x[1] > 1 && slices.Equal(k.constants(k.input(1)), []int32{0, 1}) {
				return "transposes its 2 dimensions although its permutation is the identity"
			}
			return ""
		}),
	},
	{
		When:    "INT8, 4 dimensions, the last two above 1, and the identity permutation",
		Library: cmsis, Versions: cmsisCommit, builds: mveBuilds, operators: ops(schema.BuiltinOperatorTRANSPOSE), Effect: Miscomputes, Phase: Eval,
		Link: sources + "TransposeFunctions/arm_transpose_s8.c:232", why: provided(of(input(0), i8), func(k *Kernel) string {
			if x := k.input(0).Shape; len(x) == 4 && x[2] > 1 && x[3] > 1 && slices.Equal(k.constants(k.input(1)), []int32{0, 1, 2, 3}) {
				return "transposes its last 2 dimensions although its permutation is the identity"
			}
			return ""
		}),
	},
	{
		When:    "INT8, 5 dimensions",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorTRANSPOSE), Effect: Unwritten, Phase: Eval,
		Link: wrapper + "transpose.cc:83", why: provided(of(input(0), i8), rankAbove(4, "leaves an output of %d dimensions unwritten", input(0))),
	},
	{
		When:    "INT16, rows of one element",
		Library: cmsis, Versions: cmsisCommit, builds: family(familyCMSIS), operators: ops(schema.BuiltinOperatorSOFTMAX), Effect: Miscomputes, Phase: Eval,
		Link: sources + "SoftmaxFunctions/arm_softmax_s16.c:103", why: provided(of(input(0), i16), func(k *Kernel) string {
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
		Link: wrapper + "svdf.cc:195", why: provided(stateWraps, byteState("does not saturate its INT8 state, whose values wrap around")),
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
		Link: wrapper + "depthwise_conv.cc:170", why: provided(pairOf(input(0), i8, input(1), i8), func(k *Kernel) string {
			g, ok := k.sliding()
			if ok && Dim(k.input(0), 3) == 1 && Dim(k.output(0), 3) > 1 && g.in[0] == 1 && g.window.Kernel[0] == 1 {
				return "requests its scratch with a stride that is never set"
			}
			return ""
		}),
	},
}

// byteState holds for SVDF with time weights and an INT8 state.
func byteState(text string) condition {
	return provided(of(input(0), i8), provided(pairOf(input(2), i8, input(4), i8), func(*Kernel) string { return text }))
}

// stateWraps reports whether the values that SVDF writes to its state may exceed INT8: the
// kernel clamps them to INT16. It is true for non-constant weights.
func stateWraps(k *Kernel) bool {
	x, w, state := k.input(0), k.input(1), k.input(4)
	columns := int(Dim(w, 1))
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
	return provided(pairOf(input(0), i8, input(1), i8), provided(func(k *Kernel) bool {
		return len(k.output(0).Shape) > 2 && Dim(k.input(1), 1)%4 == 0
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

// oneRow is a condition on the convolutions of one row that CMSIS-NN computes as 1 x n.
func oneRow(why func(g sliding) string) condition {
	return provided(pairOf(input(0), i8, input(1), i8), func(k *Kernel) string {
		g, ok := k.sliding()
		if !ok || g.in[0] != 1 || g.window.Kernel[0] != 1 || g.window.Kernel[1] == 1 || g.dilated() ||
			g.window.Stride[1]*Dim(k.input(0), 3)%4 != 0 || groups("%d")(k) != "" {
			return ""
		}
		return why(g)
	})
}

// A transposedConv is a transposed convolution as computed by CMSIS-NN, row by row in a ring
// buffer.
type transposedConv struct{ sliding }

// ofTransposed is a condition on the INT8 transposed convolutions computed this way.
//
//go:noinline
func ofTransposed(why func(t transposedConv) string) condition {
	return provided(of(input(2), i8), func(k *Kernel) string {
		g, ok := k.slidingOf(2)
		if !ok || Dim(k.input(2), 3) > 16 && g.window.Stride[0] <= 2 && g.window.Stride[1] <= 2 {
			return "" // computed as a convolution of the upscaled input, or not at all
		}
		return why(transposedConv{g})
	})
}

// before is the padding before the output along an axis, computed by the kernel from the output
// size.
func (t transposedConv) before(axis int) int64 {
	out, kernel, stride := t.out[axis], t.window.Kernel[axis], t.window.Stride[axis]
	n := (out + stride - 1) / stride
	if t.window.Padding == schema.PaddingVALID {
		n = (out - kernel + stride) / stride
	}
	return max((n-1)*stride+kernel-out, 0) / 2
}

// rows is the number of rows that the kernel writes.
func (t transposedConv) rows() int64 {
	top, reached := t.before(0), t.in[0]*t.window.Stride[0]
	rows := max(0, reached-top)
	tail := t.window.Kernel[0] - t.window.Stride[0]
	return rows + max(0, min(tail, top+t.out[0]-reached)-max(0, top-reached))
}

// columns is the number of columns that the kernel computes.
func (t transposedConv) columns() int64 {
	return (t.in[1]-1)*t.window.Stride[1] + max(t.window.Kernel[1], t.window.Stride[1])
}
