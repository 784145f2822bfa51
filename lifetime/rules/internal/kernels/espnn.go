package kernels

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime/rules/internal/diagonal"
	"github.com/tflarena/tflarena/schema"
)

// ESP-NN: the persistent memory and the scratch of the kernels of esp-tflite-micro
// (esp-tflite-micro 99f49e1, ESP-NN d45b843). They request the scratch of the fast path for
// every 8-bit input, even if the reference kernel then does the work: with a dilation, with
// groups, and with 4-bit weights.

const familyESP = "esp-nn"

// An espBuild is one of the builds of ESP-NN, of one generation of releases: vector code for a
// chip, optimised C for other chips, or plain C.
type espBuild struct {
	// convolution and depthwise are the library's size functions.
	convolution, depthwise func(g *geometry) int64
	// rows reports whether SOFTMAX keeps the exponents of a row.
	rows bool
	// inC reports that no kernel has vector code.
	inC bool
}

func noScratch(*geometry) int64 { return 0 }

var (
	espS3      = espBuild{convolution: convolutionS3(64), depthwise: depthwiseS3, rows: true}
	espS3Of121 = espBuild{convolution: convolutionS3(32), depthwise: depthwiseS3, rows: true}
	espS3Of110 = espBuild{convolution: convolutionOf110, depthwise: depthwiseOf110, rows: true}
	espP4      = espBuild{convolution: convolutionP4, depthwise: noScratch, rows: true}
	espP4Of110 = espBuild{convolution: convolutionOf110, depthwise: noScratch, rows: true}
	espGeneric = espBuild{convolution: noScratch, depthwise: noScratch, rows: true, inC: true}
	espANSI    = espBuild{convolution: noScratch, depthwise: noScratch, inC: true}
)

// kernels returns the kernels of a build. Those in C iterate over the output as the reference kernels
// do; the orders of convolutions are measured, and all others read in the source. In assembler, 1x1
// filters process eight pixels at a time on the ESP32-S3, and sixteen on the ESP32-P4. Paths that copy
// the input first need no distance; the choice of the path depends on more than the model.
// (esp-tflite-micro 99f49e1, kernels/esp_nn; ESP-NN d45b843)
func (b espBuild) kernels() map[schema.BuiltinOperator]row {
	convolution, elementwise := inBlocks(16, convolved), row{order: kernelOrder{ByElement, bytesOnly(chosen)}, unmeasured: true}
	if b.inC {
		convolution, elementwise = convolved, row{sharing: Computing} // each element is read before it is written, at the same index
	}
	return map[schema.BuiltinOperator]row{
		schema.BuiltinOperatorCONV_2D: {
			memory: changed(schema.BuiltinOperatorCONV_2D, 60,
				out(0), in(0, 1), keep(channels), keep(channels), in(0, 1, 2), out(0), int4Filter,
				where(inputIs(0, i8), called(0, function("conv"), windowed(0, b.convolution)))).wasting(b.unusedConvolution),
			order:      kernelOrder{ByElement, firstInput(bytesOnly(convolution))},
			unmeasured: !b.inC,
		},
		schema.BuiltinOperatorDEPTHWISE_CONV_2D: {
			memory: changed(schema.BuiltinOperatorDEPTHWISE_CONV_2D, 60,
				out(0), in(0, 1), keep(depthChannels), keep(depthChannels), int4Filter, in(0, 1, 2), out(0),
				where(inputIs(0, i8), called(0, function("depthwise_conv"), windowed(0, b.depthwise)))).wasting(b.unusedDepthwise),
			order:      kernelOrder{ByElement, firstInput(bytesOnly(convolvedByChannel))},
			unmeasured: !b.inC,
		},
		schema.BuiltinOperatorSOFTMAX: {
			memory: changed(schema.BuiltinOperatorSOFTMAX, 64,
				in(0), out(0), where(inputIs(0, i16), keep(fixed(1026)), keep(fixed(1026))), b.exponents()),
			order:      kernelOrder{ByElement, bytesOnly(rowsAlike)},
			unmeasured: true,
		},
		schema.BuiltinOperatorFULLY_CONNECTED: {order: kernelOrder{ByElement, firstInput(bytesOnly(connected))}, unmeasured: true},
		schema.BuiltinOperatorAVERAGE_POOL_2D: {order: kernelOrder{ByElement, bytesOnly(pooledByPixel)}, unmeasured: true},
		schema.BuiltinOperatorMAX_POOL_2D:     {order: kernelOrder{ByElement, bytesOnly(pooledByPixel)}, unmeasured: true},
		schema.BuiltinOperatorADD:             elementwise,
		schema.BuiltinOperatorMUL:             elementwise,
	}
}

// exponents is the scratch of SOFTMAX: four bytes for each element along dimension 1, which is
// the row only for tensors of two dimensions.
func (b espBuild) exponents() ask {
	return where(both(inputIs(0, i8), outputIs(0, i8)), func(k *Kernel, a Asker) {
		c := Call{Function: "softmax", Input: [4]int64{0, Dim(k.input(0), 2), Dim(k.input(0), 1), 0}}
		bytes := int64(0)
		if b.rows {
			bytes = product(4, Dim(k.input(0), 1))
		}
		by(a, c, bytes)
	})
}

func outputIs(i int, kind schema.TensorType) func(*Kernel) bool {
	return func(k *Kernel) bool { return typeOf(k.output(i)) == kind }
}

// pointwise reports whether a convolution is 1x1 with stride 1 and no padding.
func (g *geometry) pointwise() bool { return g.filter1x1() && g.steps1() && !g.padded() }

// pointwiseChannels is the copies of a 1x1 convolution: the input, if its channels are not a
// multiple of 8, the filter, and eight transposed pixels.
func pointwiseChannels(g *geometry) int64 {
	channels := integer.RoundUp(g.inChannels, 8)
	n := product(channels, g.outChannels)
	if g.inChannels%8 != 0 {
		n += product(g.in[0], g.in[1], channels)
	}
	if product(g.in[0], g.in[1]) >= 8 {
		n += product(16, channels)
	}
	return n
}

// espGenerations are the modelled releases of ESP-NN, newest first; those of a generation request the
// same scratch.
var espGenerations = [][]string{
	{"1.2.3"},
	{"1.2.2", "1.2.1"},
	{"1.2.0", "1.1.2", "1.1.1", "1.1.0"},
}

// espOrdered are the releases whose orders of reads and writes were read or measured.
var espOrdered = []string{"1.2.3"}

// espBuilds are the builds of ESP-NN, with a build for each modelled generation.
var espBuilds = []*Library{
	esp("s3", "for the ESP32-S3", espS3, espS3Of121, espS3Of110),
	esp("p4", "for the ESP32-P4", espP4, espP4Of110, espP4Of110),
	esp("generic", "in optimised C, for other chips", espGeneric),
	esp("ansi", "in plain C", espANSI),
}

// esp returns the newest release of a build of ESP-NN, with the earlier ones in Older.
func esp(variant, chips string, generations ...espBuild) *Library {
	var all []*Library
	for i, build := range generations {
		for _, version := range espGenerations[i] {
			l := &Library{
				Family: familyESP, Variant: variant, Version: version,
				Summary: "ESP-NN " + chips, Title: "ESP-NN " + version + " " + chips,
				Usual: ESP, Narrow: true, Unmarked: "1.2.3", kernels: build.kernels(),
				types: []schema.TensorType{i8}, copiesAnew: true,
			}
			if !slices.Contains(espOrdered, version) {
				l.kernels = ofUnknownOrder(l.kernels)
			}
			if all = append(all, l); len(all) == 1 {
				l.Title = "ESP-NN " + version + newest + " " + chips
			}
		}
	}
	all[0].Older = all[1:]
	return all[0]
}

// unused is the unused scratch of ESP-NN's convolutions if the reference kernel does their
// work. (esp-tflite-micro 99f49e1, kernels/esp_nn)
func (b espBuild) unused(k *Kernel, bytes int64) (int64, string) {
	g := k.geometry(0)
	if k.inputType(0) != i8 || k.inputType(1) != i4 && !g.dilated() {
		return 0, ""
	}
	return bytes, "weights of 4 bits and dilations are computed by the reference kernel"
}

func (b espBuild) unusedConvolution(k *Kernel) (int64, string) {
	return b.unused(k, windowed(0, b.convolution)(k))
}

func (b espBuild) unusedDepthwise(k *Kernel) (int64, string) {
	return b.unused(k, windowed(0, b.depthwise)(k))
}

// The size functions of ESP-NN for the ESP32-S3, in bytes. Its vectors load 16 bytes at
// multiples of 16, so the kernels copy the input and the filter with padding.

// convolutionS3 returns the size of CONV_2D with slack for the alignment of the parts.
func convolutionS3(slack int64) func(g *geometry) int64 {
	return func(g *geometry) int64 { return g.copiesS3() + slack }
}

// copiesS3 are all parts of the scratch of CONV_2D.
func (g *geometry) copiesS3() int64 {
	sums := product(4, g.outChannels)
	line := product(g.filter[1], g.inChannels)
	switch window := integer.RoundUp(g.window(), 16); {
	case g.pointwise():
		return pointwiseChannels(g)
	case line < 16 && g.window() >= 16:
		return sums + 16 + product(g.outChannels, window) + 16 + window
	}
	filter := product(g.filter[0], g.filter[1], integer.RoundUp(g.inChannels, 16), g.outChannels)
	lines := product(integer.RoundUp(line, 16), g.filter[0], g.outChannels)
	return g.around() + filter + lines + g.behind() + sums
}

// around is a copy of the image with its padding on all sides, if any.
func (g *geometry) around() int64 {
	if !g.padded() {
		return 0
	}
	return product(g.in[0]+2*g.padding[0], g.in[1]+2*g.padding[1], g.inChannels)
}

// behind is a copy of the image with the elements that windows reach past its end.
func (g *geometry) behind() int64 {
	bottom, right := g.beyond(0), g.beyond(1)
	if bottom == 0 && right == 0 {
		return 0
	}
	return product(g.in[0]+bottom, g.in[1]+right, g.inChannels)
}

// beyond returns the number of elements that windows reach past the end of the image along an
// axis, as the library counts them: with a full step for the last window, too.
func (g *geometry) beyond(axis int) int64 { return max(0, g.reach(axis)) }

func (g *geometry) reach(axis int) int64 {
	return g.out[axis]*g.stride[axis] + g.filter[axis] - 1 - g.in[axis]
}

func depthwiseS3(g *geometry) int64 {
	filter, multiplier := product(g.filter[0], g.filter[1], g.outChannels), g.multiplier()
	switch {
	case multiplier == 1 && g.inChannels%8 == 0 && g.filter == [2]int64{3, 3}:
		return smallDepthwiseS3(g, filter)
	case multiplier == 1 && g.inChannels%8 == 0:
		// All in 16 bits, or as many rows as the filter has.
		const most = 49152
		if all := product(2, filter+g.picture()); all <= most {
			return all + 32
		}
		return product(2, filter) + product(2, g.in[1], g.filter[0], g.inChannels) + 32
	case multiplier == 1 && g.inChannels > 3:
		channels := integer.RoundUp(g.inChannels, 8)
		n := integer.RoundUp(product(2, g.filter[0], g.filter[1], channels), 16)
		n = integer.RoundUp(n+product(2, g.in[0], g.in[1], channels), 16)
		n = integer.RoundUp(n+product(g.out[0], g.out[1], channels), 16)
		return n + product(12, channels) + 16
	case multiplier > 0 && multiplier%4 == 0:
		return product(2, filter+g.picture()) + 32
	}
	return 32
}

// smallDepthwiseS3 is for filters of 3x3, and channels that are a multiple of 8.
func smallDepthwiseS3(g *geometry, filter int64) int64 {
	channels := integer.RoundUp(g.inChannels, 16)
	switch {
	case g.inChannels%16 == 0:
		more := g.beside()
		if more == [2]int64{} {
			return filter + 16
		}
		const most = 40960 // larger images are copied row by row
		width := g.in[1] + more[1]
		copied := product(width, g.in[0]+more[0], g.inChannels)
		if copied > most {
			copied = product(width, g.filter[0], g.inChannels)
		}
		return filter + 16 + copied
	case g.inChannels >= 12:
		width, height := g.reached(1), g.reached(0)
		return product(9, channels) + product(width, height, channels) + product(g.out[0], g.out[1], channels) + 64
	}
	return product(2, filter+g.picture()) + 32
}

// reached is the size of the image along an axis with its padding on both sides, and with the
// elements that windows reach past its end.
func (g *geometry) reached(axis int) int64 {
	return g.in[axis] + 2*g.padding[axis] + g.beyond(axis)
}

// beside is the additional size of a copy of the image: the padding, or the elements that
// windows reach past the end. It is negative for dilated filters, because the library ignores
// the dilation.
func (g *geometry) beside() [2]int64 {
	if g.padded() {
		return [2]int64{2 * g.padding[0], 2 * g.padding[1]}
	}
	return [2]int64{g.reach(0), g.reach(1)}
}

// The size functions of ESP-NN for the ESP32-P4, in bytes.

func convolutionP4(g *geometry) int64 {
	const slack = 32
	sums := product(4, g.outChannels)
	elements := product(g.filter[0], g.filter[1])
	switch {
	case g.pointwise() && g.inChannels < 16:
		return sums + product(16, g.outChannels) + 64
	case g.pointwise():
		return pointwiseChannels(g) + slack
	case !g.padded() && product(g.filter[1], g.inChannels) >= 16:
		return product(elements, integer.RoundUp(g.inChannels, 16), g.outChannels) + slack + sums
	case g.window() >= 16: // one window
		return sums + g.window() + slack
	case !g.padded():
		channels := g.widened()
		return sums + slack + product(elements, g.outChannels, channels) + product(g.in[0], g.in[1], channels)
	}
	return tiledP4(g, sums) + slack + sums
}

// widened is the number of channels to which a pixel is padded so that a filter line fills a
// vector.
func (g *geometry) widened() int64 {
	if g.filter[1] <= 0 {
		return 0
	}
	return integer.RoundUp((16+g.filter[1]-1)/g.filter[1], 16)
}

// tiledP4 is for windows with padding that do not fill a vector: the padded image and the
// filter, or, if that exceeds the cache, as many rows of widened pixels as fit.
func tiledP4(g *geometry, sums int64) int64 {
	const cache = 32768
	elements := product(g.filter[0], g.filter[1])
	if g.around()+sums <= cache {
		return g.around() + product(elements, integer.RoundUp(g.inChannels, 16), g.outChannels)
	}
	channels := g.widened()
	filter := product(elements, channels, g.outChannels)
	row := product(g.in[1]+2*g.padding[1], channels)
	left, rows := cache-sums-filter-product(g.filter[0], row), int64(1)
	if step := product(g.stride[0], row); left >= 0 && step > 0 {
		rows = min(left/step+1, g.out[0])
	}
	return filter + product((rows-1)*g.stride[0]+g.filter[0]+2*g.padding[0], row)
}

// The size functions of ESP-NN before 1.2.3, in bytes. 1.1.0 to 1.2.0 share one set of sizes,
// and 1.2.1 and 1.2.2 another; the ESP32-P4 uses the former in all of them.

// convolutionOf110 is the function of 1.1.0 to 1.2.0, for both chips.
func convolutionOf110(g *geometry) int64 {
	const slack = 32
	if g.pointwise() {
		return pointwiseChannels(g) + slack
	}
	filter := product(g.filter[0], g.filter[1], integer.RoundUp(g.inChannels, 16), g.outChannels)
	return g.around() + filter + slack + product(4, g.outChannels)
}

// depthwiseOf110 is the function of 1.1.0 to 1.2.0, for the ESP32-S3.
func depthwiseOf110(g *geometry) int64 {
	const slack = 16
	filter, multiplier := product(g.filter[0], g.filter[1], g.outChannels), g.multiplier()
	small := multiplier == 1 && g.filter == [2]int64{3, 3}
	switch {
	case small && g.inChannels%16 == 0:
		if more := g.beside(); more != [2]int64{} {
			return filter + product(g.in[1]+more[1], g.in[0]+more[0], g.inChannels) + slack
		}
		return filter + slack
	case small && g.inChannels%8 == 0 || multiplier > 0 && multiplier%4 == 0:
		return product(2, filter+g.picture()) + slack
	}
	return 32
}

// Orders.

// pooledByPixel is a pool with a known order of pixels only: a window is read until all
// channels of its pixel have been written.
func pooledByPixel(k *Loops, input, output int) (diagonal.Nest, bool) {
	in, out, ok := k.pictures(input, output)
	if !ok {
		return diagonal.Nest{}, false
	}
	nest, ok := k.windowed(in, out, diagonal.Even(2, 0, 0))
	nest.Unit = out.stride(2)
	return nest, ok
}

// Known faults.

// The library of these rows, and the release in which they were found.
const (
	espName   = "ESP-NN"
	espFound  = "1.2.3"
	espKernel = "tensorflow/lite/micro/kernels/esp_nn/"
)

// chipS3 is the build for the ESP32-S3. optimised are the builds that keep the exponents of
// SOFTMAX in scratch.
var (
	chipS3    = variants(familyESP, "s3")
	optimised = variants(familyESP, "s3", "p4", "generic")
)

// espFaults are faults of ESP-NN and of the kernels that call it.
var espFaults = []Known{
	{
		When:    "other types than INT8 with INT8 weights, no bias (2 inputs) and more than one output channel",
		Library: Runtime, Versions: RuntimeVersion, builds: family(familyESP), operators: ops(schema.BuiltinOperatorDEPTHWISE_CONV_2D), Effect: Crashes, Phase: Eval, Evidence: Assertions,
		Link: "tensorflow/lite/micro/kernels/depthwise_conv.cc:78", why: provided(not(pairOf(input(0), i8, input(1), i8)), depthwiseUnbiased()),
	},
	{
		When:    "INT8, several groups, dilation 1, a bias",
		Library: espName, Versions: espFound, builds: family(familyESP), operators: ops(schema.BuiltinOperatorCONV_2D), Effect: Miscomputes, Phase: Eval,
		Link: espKernel + "conv.cc:214", why: bytesWithBytes(func(k *Kernel) string {
			if g, ok := k.sliding(); !ok || g.dilated() || k.input(2) == nil {
				return ""
			}
			return groups("computes its %d groups as one with too few channels (and aborts in builds with assertions)")(k)
		}),
	},
	{
		When:    "INT8 without a bias",
		Library: espName, Versions: espFound, builds: family(familyESP), operators: ops(schema.BuiltinOperatorCONV_2D), Effect: Crashes, Phase: Eval,
		Link: espKernel + "conv.cc:218", why: bytesWithBytes(given(unbiased(2), "has no bias, which its kernel dereferences")),
	},
	{
		When:    "INT16 without a bias",
		Library: espName, Versions: espFound, builds: family(familyESP), operators: ops(schema.BuiltinOperatorCONV_2D), Effect: Miscomputes, Phase: Eval, Evidence: Rounding,
		Link: espKernel + "conv.cc:314", why: provided(of(input(0), i16), given(unbiased(2), "has no bias, so it rounds in 32 bits and some values are one step off")),
	},
	{
		When:    "INT8 without a bias (2 inputs)",
		Library: espName, Versions: espFound, builds: family(familyESP), operators: ops(schema.BuiltinOperatorDEPTHWISE_CONV_2D), Effect: Crashes, Phase: Eval,
		Link: espKernel + "depthwise_conv.cc:67", why: bytesWithBytes(given(unbiased(2), "has no bias, which its kernel dereferences")),
	},
	{
		When:    "INT16 with per-channel weights",
		Library: espName, Versions: espFound, builds: family(familyESP), operators: ops(schema.BuiltinOperatorFULLY_CONNECTED), Effect: Crashes, Phase: Eval,
		Link: espKernel + "fully_connected.cc:263", why: provided(of(input(0), i16), perChannelWeights("has %d scales of weights for INT16, and its kernel uses a multiplier that is never set")),
	},
	{
		When:    "INT16 with a bias of INT32",
		Library: espName, Versions: espFound, builds: family(familyESP), operators: ops(schema.BuiltinOperatorFULLY_CONNECTED), Effect: Overruns, Phase: Eval,
		Link: espKernel + "fully_connected.cc:263", why: shortBias(2),
	},
	{
		When:    "INT8, 1 dimension, or more than 2 with dimension 1 smaller than the last",
		Library: espName, Versions: espFound, builds: optimised, operators: ops(schema.BuiltinOperatorSOFTMAX), Effect: Overruns, Phase: Eval,
		Link: espKernel + "softmax.cc:153", why: provided(pairOf(input(0), i8, output(0), i8), func(k *Kernel) string {
			x := k.input(0)
			last := Dim(x, len(x.Shape)-1)
			switch {
			case len(x.Shape) == 1 && last > 1:
				return "takes the size of its scratch from a dimension 1 that its input does not have"
			case len(x.Shape) > 2 && Dim(x, 1) < last:
				return fmt.Sprintf("writes rows of %d elements into scratch for %d", last, Dim(x, 1))
			}
			return ""
		}),
	},
	{
		When:    "more than 5 dimensions with broadcasting",
		Library: espName, Versions: espFound, builds: family(familyESP), operators: ops(schema.BuiltinOperatorSELECT_V2), Effect: Crashes, Phase: Eval, Evidence: Assertions,
		Link: "tensorflow/lite/kernels/internal/reference/select.h:166", why: func(k *Kernel) string {
			n, all := len(k.output(0).Shape), Elements(k.output(0))
			for i := range 3 {
				if t := k.input(i); n > 5 && Elements(t) != all {
					return fmt.Sprintf("broadcasts to %d dimensions, and an assertion requires 5 at most", n)
				}
			}
			return ""
		},
	},
	{
		When:    "INT8, a filter of 3x3, channels that are a multiple of 16, padding other than 0 or 1 on all sides",
		Library: espName, Versions: "1.2.3 and earlier", builds: through("1.2.3", chipS3), operators: ops(schema.BuiltinOperatorDEPTHWISE_CONV_2D), Effect: Overruns, Phase: Eval, Evidence: Source,
		Link: "espressif/esp-nn#30", why: bytesWithBytes(func(k *Kernel) string {
			g, ok := k.sliding()
			padding := [2]int64{g.before(0), g.before(1)}
			channels := Dim(k.input(0), 3)
			if !ok || g.dilated() || g.window.Kernel != [2]int64{3, 3} || Dim(k.output(0), 3) != channels || channels%16 != 0 ||
				padding == [2]int64{} || padding == [2]int64{1, 1} {
				return ""
			}
			return "writes a copy of its output past its scratch, because it is padded on some sides only"
		}),
	},
	{
		When:    "INT8, SAME with an odd total of padding in height or width",
		Library: espName, Versions: "1.2.3 and earlier", builds: through("1.2.3", chipS3), operators: ops(schema.BuiltinOperatorCONV_2D), Effect: Miscomputes, Phase: Eval, Evidence: Source,
		Link: "espressif/esp-nn#31", why: bytesWithBytes(func(k *Kernel) string {
			g, ok := k.sliding()
			channels := Dim(k.input(0), 3)
			line, w := g.window.Kernel[1]*channels, g.window
			if !ok || g.dilated() || w.Padding != schema.PaddingSAME || line < 16 && line*w.Kernel[0] >= 16 {
				return ""
			}
			if (g.total(0)%2 != 0 || g.total(1)%2 != 0) && (g.before(0) > 0 || g.before(1) > 0) {
				return fmt.Sprintf("pads its input alike on both sides where SAME needs %d rows and %d columns in all, so that its last row or column is wrong", g.total(0), g.total(1))
			}
			return ""
		}),
	},
	{
		When:    "INT8, several rows of a depth that is not a multiple of 16",
		Library: espName, Versions: "1.2.3 to 1.2.5, fixed in 1.2.6", builds: releases("1.2.3", "1.2.6", chipS3), operators: ops(schema.BuiltinOperatorFULLY_CONNECTED), Effect: Miscomputes, Phase: Eval, Evidence: Upstream,
		Link: "espressif/esp-nn#34", why: bytesWithBytes(func(k *Kernel) string {
			depth := Dim(k.input(1), len(k.input(1).Shape)-1)
			if depth > 0 && depth%16 != 0 && Elements(k.input(0)) > depth {
				return fmt.Sprintf("has several rows of %d elements, which do not all begin at a multiple of 16 bytes", depth)
			}
			return ""
		}),
	},
}

// bytesWithBytes is a condition on the operators computed by ESP-NN: INT8 with INT8 weights.
func bytesWithBytes(why condition) condition {
	return provided(pairOf(input(0), i8, input(1), i8), why)
}
