package picture

import "github.com/tflarena/tflarena/internal/drawing"

// ink is the colour of letters.
const ink = "#1b1f24"

// Fonts of pictures.
var (
	plainFont = &drawing.Font{Size: 12, Colour: ink}
	titleFont = &drawing.Font{Class: "title", Size: 16, Bold: true, Colour: ink}
	mutedFont = &drawing.Font{Class: "muted", Size: 12, Colour: "#57606a"}
	stepFont  = &drawing.Font{Class: "step", Size: 11, Colour: ink}
	smallFont = &drawing.Font{Class: "small", Size: 10, Colour: ink, Through: true}
)

// Looks of pictures.
var (
	gridLook     = &drawing.Look{Class: "grid", Stroke: "#e3e7eb", Width: 1}
	axisLook     = &drawing.Look{Class: "axis", Stroke: "#57606a", Width: 1}
	tensorLook   = &drawing.Look{Class: "tensor", Stroke: "#ffffff", Width: 0.7, Hover: true}
	thinLook     = &drawing.Look{Class: "tensor thin", Hover: true}
	swatchLook   = &drawing.Look{Class: "swatch", Stroke: "#c9d1d9", Width: 1}
	sharedLook   = &drawing.Look{Class: "shared"}
	loadLook     = &drawing.Look{Class: "load", Fill: "#9fb3c8"}
	peakLook     = &drawing.Look{Class: "peak", Fill: "#7a2f00"}
	totalLook    = &drawing.Look{Class: "total", Stroke: "#7a2f00", Width: 1.5}
	boundLook    = &drawing.Look{Class: "bound", Stroke: "#b3261e", Width: 1.5, Dash: []float64{6, 4}}
	capacityLook = &drawing.Look{Class: "capacity", Stroke: "#6a3d9a", Width: 1.5, Dash: []float64{2, 3}}
	limitLook    = &drawing.Look{Class: "limit", Stroke: "#6e7781", Width: 1.5, Dash: []float64{6, 4}}
)

// lookOf returns the look of a rectangle: the white line around a thin one would cover it.
func lookOf(w, h float64) *drawing.Look {
	const thin = 3
	if w < thin || h < thin {
		return thinLook
	}
	return tensorLook
}
