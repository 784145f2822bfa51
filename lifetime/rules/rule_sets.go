package rules

import "github.com/tflarena/tflarena/lifetime/rules/internal/kernels"

// The names of the rule sets.
const (
	microName  = "tflm"
	liteRTName = "litert"
	paperName  = "paper"
)

// Micro returns the rules of TensorFlow Lite Micro.
func Micro() Rules { return named(microName) }

// OlderMicroUntil is the date of the change that makes TensorFlow Lite Micro also recognise
// control flow by the deprecated operator code field (tflite-micro pull request 3698).
const OlderMicroUntil = "2026-09-08"

// OlderMicro returns the rules of TensorFlow Lite Micro before [OlderMicroUntil].
func OlderMicro() Rules {
	r := Micro()
	r.NewCodesOnly = true
	return r
}

// LiteRT returns the rules of LiteRT's CPU arena.
func LiteRT() Rules { return named(liteRTName) }

// Paper returns the rules of Pisarchyk and Lee 2020.
func Paper() Rules { return named(paperName) }

// IsMicro reports whether the runtime is TensorFlow Lite Micro, the only one that lets a file
// determine the offsets of its tensors.
func (r Rules) IsMicro() bool { return r.Name == microName }

// IsLiteRT reports whether the runtime is LiteRT.
func (r Rules) IsLiteRT() bool { return r.Name == liteRTName }

func named(name string) Rules {
	r, err := Lookup(name)
	if err != nil {
		panic(err) // a name of the table
	}
	return r
}

// table holds the rule sets; the first is the default.
var table = []Rules{
	{
		Name:         microName,
		Title:        "TensorFlow Lite Micro",
		Source:       "tflite-micro 90b983c2 (2026-08-20), control flow as since 2026-09-08",
		Figure:       "head",
		Planner:      "tflm-greedy",
		Scopes:       true,
		Align:        16,
		RoundSizes:   16,
		EmbeddedOnly: true,

		ResolveReshape: true,
		Wrap:           true,
		sizes:          kernels.ElementBits,
	},
	{
		Name:          liteRTName,
		Title:         "LiteRT (CPU arena)",
		Source:        "LiteRT f6745779 (2026-08-21)",
		Figure:        "tensor arena",
		Planner:       "litert-arena",
		Align:         64,
		KeepInputs:    true,
		KeepOutputs:   true,
		KeepUnread:    true,
		SkipUntouched: true,
		sizes:         packedSizes,
	},
	{
		Name:              paperName,
		Title:             "Pisarchyk & Lee 2020 (GPU delegate)",
		Source:            "arXiv 2001.03288, tables 1 and 2",
		Figure:            "total",
		IntermediatesOnly: true,
		SkipUntouched:     true,
		AsFloat32:         true,
		PadChannels:       4,
		FoldConstants:     true,
		DropNoOpResize:    true,
		MergeSpatialPad:   true,
		sizes:             packedSizes,
	},
}
