package faults

import (
	"fmt"

	"github.com/tflarena/tflarena/lifetime/rules/internal/kernels"
	"github.com/tflarena/tflarena/schema"
)

// The library of these rows, and the release in which they were found.
const (
	esp       = "ESP-NN"
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
		When:    "INT8, several groups, dilation 1, a bias",
		Library: esp, Versions: espFound, builds: family(familyESP), operators: ops(schema.BuiltinOperatorCONV_2D), Effect: Miscomputes, Phase: Eval,
		Link: espKernel + "conv.cc:214", why: bytesWithBytes(func(k kernel) string {
			if g, ok := k.sliding(); !ok || g.dilated() || k.input(2) == nil {
				return ""
			}
			return groups("computes its %d groups as one with too few channels (and aborts in builds with assertions)")(k)
		}),
	},
	{
		When:    "INT8 without a bias",
		Library: esp, Versions: espFound, builds: family(familyESP), operators: ops(schema.BuiltinOperatorCONV_2D), Effect: Crashes, Phase: Eval,
		Link: espKernel + "conv.cc:218", why: bytesWithBytes(given(unbiased(2), "has no bias, which its kernel dereferences")),
	},
	{
		When:    "INT16 without a bias",
		Library: esp, Versions: espFound, builds: family(familyESP), operators: ops(schema.BuiltinOperatorCONV_2D), Effect: Miscomputes, Phase: Eval, Evidence: Rounding,
		Link: espKernel + "conv.cc:314", why: both(of(in(0), i16), given(unbiased(2), "has no bias, so it rounds in 32 bits and some values are one step off")),
	},
	{
		When:    "INT8 without a bias (2 inputs)",
		Library: esp, Versions: espFound, builds: family(familyESP), operators: ops(schema.BuiltinOperatorDEPTHWISE_CONV_2D), Effect: Crashes, Phase: Eval,
		Link: espKernel + "depthwise_conv.cc:67", why: bytesWithBytes(given(unbiased(2), "has no bias, which its kernel dereferences")),
	},
	{
		When:    "INT16 with per-channel weights",
		Library: esp, Versions: espFound, builds: family(familyESP), operators: ops(schema.BuiltinOperatorFULLY_CONNECTED), Effect: Crashes, Phase: Eval,
		Link: espKernel + "fully_connected.cc:263", why: both(of(in(0), i16), perChannelWeights("has %d scales of weights for INT16, and its kernel uses a multiplier that is never set")),
	},
	{
		When:    "INT16 with a bias of INT32",
		Library: esp, Versions: espFound, builds: family(familyESP), operators: ops(schema.BuiltinOperatorFULLY_CONNECTED), Effect: Overruns, Phase: Eval,
		Link: espKernel + "fully_connected.cc:263", why: shortBias(2),
	},
	{
		When:    "INT8, 1 dimension, or more than 2 with dimension 1 smaller than the last",
		Library: esp, Versions: espFound, builds: optimised, operators: ops(schema.BuiltinOperatorSOFTMAX), Effect: Overruns, Phase: Eval,
		Link: espKernel + "softmax.cc:153", why: both(pairOf(in(0), i8, out(0), i8), func(k kernel) string {
			x := k.input(0)
			last := kernels.Dim(x, len(x.Shape)-1)
			switch {
			case len(x.Shape) == 1 && last > 1:
				return "takes the size of its scratch from a dimension 1 that its input does not have"
			case len(x.Shape) > 2 && kernels.Dim(x, 1) < last:
				return fmt.Sprintf("writes rows of %d elements into scratch for %d", last, kernels.Dim(x, 1))
			}
			return ""
		}),
	},
	{
		When:    "more than 5 dimensions with broadcasting",
		Library: esp, Versions: espFound, builds: family(familyESP), operators: ops(schema.BuiltinOperatorSELECT_V2), Effect: Crashes, Phase: Eval, Evidence: Assertions,
		Link: "tensorflow/lite/kernels/internal/reference/select.h:166", why: func(k kernel) string {
			n, all := len(k.output(0).Shape), kernels.Elements(k.output(0))
			for i := range 3 {
				if t := k.input(i); n > 5 && kernels.Elements(t) != all {
					return fmt.Sprintf("broadcasts to %d dimensions, and an assertion requires 5 at most", n)
				}
			}
			return ""
		},
	},
	{
		When:    "INT8, a filter of 3x3, channels that are a multiple of 16, padding other than 0 or 1 on all sides",
		Library: esp, Versions: "1.2.3 and earlier", builds: chipS3, operators: ops(schema.BuiltinOperatorDEPTHWISE_CONV_2D), Effect: Overruns, Phase: Eval, Evidence: Source,
		Link: "espressif/esp-nn#30", why: bytesWithBytes(func(k kernel) string {
			g, ok := k.sliding()
			padding := [2]int64{g.before(0), g.before(1)}
			channels := kernels.Dim(k.input(0), 3)
			if !ok || g.dilated() || g.window.Kernel != [2]int64{3, 3} || kernels.Dim(k.output(0), 3) != channels || channels%16 != 0 ||
				padding == [2]int64{} || padding == [2]int64{1, 1} {
				return ""
			}
			return "writes a copy of its output past its scratch, because it is padded on some sides only"
		}),
	},
	{
		When:    "INT8, SAME with an odd total of padding in height or width",
		Library: esp, Versions: "1.2.3 and earlier", builds: chipS3, operators: ops(schema.BuiltinOperatorCONV_2D), Effect: Miscomputes, Phase: Eval, Evidence: Source,
		Link: "espressif/esp-nn#31", why: bytesWithBytes(func(k kernel) string {
			g, ok := k.sliding()
			channels := kernels.Dim(k.input(0), 3)
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
		Library: esp, Versions: "1.2.3 to 1.2.5, fixed in 1.2.6", builds: releases("1.2.3", "1.2.6", chipS3), operators: ops(schema.BuiltinOperatorFULLY_CONNECTED), Effect: Miscomputes, Phase: Eval, Evidence: Upstream,
		Link: "espressif/esp-nn#34", why: bytesWithBytes(func(k kernel) string {
			depth := kernels.Dim(k.input(1), len(k.input(1).Shape)-1)
			if depth > 0 && depth%16 != 0 && kernels.Elements(k.input(0)) > depth {
				return fmt.Sprintf("has several rows of %d elements, which do not all begin at a multiple of 16 bytes", depth)
			}
			return ""
		}),
	},
}

// bytesWithBytes is a condition on the operators computed by ESP-NN: INT8 with INT8 weights.
func bytesWithBytes(why condition) condition { return both(pairOf(in(0), i8, in(1), i8), why) }

// total is the SAME padding along an axis, both sides together, and before the padding on the
// first side.
func (g sliding) total(axis int) int64 {
	if g.window.Padding != schema.PaddingSAME {
		return 0
	}
	return max(0, (g.out[axis]-1)*g.window.Stride[axis]+(g.window.Kernel[axis]-1)*g.window.Dilation[axis]+1-g.in[axis])
}

func (g sliding) before(axis int) int64 { return g.total(axis) / 2 }
