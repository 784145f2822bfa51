package rules

import "github.com/tflarena/tflarena/lifetime/rules/internal/kernels"

// table holds the rule sets; the first is the default.
var table = []Rules{
	{
		Name:         "tflm",
		Title:        "TensorFlow Lite Micro",
		Source:       "tflite-micro 90b983c2 (2026-08-20), control flow as since 2026-09-08",
		Figure:       "arena head",
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
		Name:          "litert",
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
		Name:              "paper",
		Title:             "Pisarchyk & Lee 2020 (GPU delegate)",
		Source:            "arXiv 2001.03288, tables 1 and 2",
		Figure:            "arena",
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
