package kernels

import (
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/schema"
)

// ESP-NN: the persistent memory and the scratch of the kernels of esp-tflite-micro
// (esp-tflite-micro 99f49e1, ESP-NN d45b843). They request the scratch of the fast path for
// every 8-bit input, even if the reference kernel then does the work: with a dilation, with
// groups, and with 4-bit weights.

// An espBuild is one of the builds of ESP-NN, of one generation of releases: vector code for a
// chip, optimised C for other chips, or plain C.
type espBuild struct {
	// convolution and depthwise are the library's size functions.
	convolution, depthwise func(g *geometry) int64
	// rows reports whether SOFTMAX keeps the exponents of a row.
	rows bool
}

func noScratch(*geometry) int64 { return 0 }

var (
	espS3      = espBuild{convolution: convolutionS3(64), depthwise: depthwiseS3, rows: true}
	espS3Of121 = espBuild{convolution: convolutionS3(32), depthwise: depthwiseS3, rows: true}
	espS3Of110 = espBuild{convolution: convolutionOf110, depthwise: depthwiseOf110, rows: true}
	espP4      = espBuild{convolution: convolutionP4, depthwise: noScratch, rows: true}
	espP4Of110 = espBuild{convolution: convolutionOf110, depthwise: noScratch, rows: true}
	espGeneric = espBuild{convolution: noScratch, depthwise: noScratch, rows: true}
	espANSI    = espBuild{convolution: noScratch, depthwise: noScratch}
)

// espNN returns the kernels of a build that differ from the reference kernels.
func espNN(b espBuild) map[schema.BuiltinOperator]demand {
	return map[schema.BuiltinOperator]demand{
		schema.BuiltinOperatorCONV_2D: changed(schema.BuiltinOperatorCONV_2D, 60,
			out(0), in(0, 1), keep(channels), keep(channels), in(0, 1, 2), out(0), int4Filter,
			where(inputIs(0, i8), called(0, function("conv"), windowed(0, b.convolution)))).wasting(b.unusedConvolution),
		schema.BuiltinOperatorDEPTHWISE_CONV_2D: changed(schema.BuiltinOperatorDEPTHWISE_CONV_2D, 60,
			out(0), in(0, 1), keep(depthChannels), keep(depthChannels), int4Filter, in(0, 1, 2), out(0),
			where(inputIs(0, i8), called(0, function("depthwise_conv"), windowed(0, b.depthwise)))).wasting(b.unusedDepthwise),
		schema.BuiltinOperatorSOFTMAX: changed(schema.BuiltinOperatorSOFTMAX, 64,
			in(0), out(0), where(inputIs(0, i16), keep(fixed(1026)), keep(fixed(1026))), b.exponents()),
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
