package render

import (
	"image"
	"image/color"
	"math"
	"strconv"

	"github.com/tflarena/tflarena/internal/drawing"
)

// rgb returns the parts of a colour, "#rrggbb"; black for an invalid one.
func rgb(text string) (r, g, b uint8) {
	if len(text) == 4 { // #rgb
		text = "#" + text[1:2] + text[1:2] + text[2:3] + text[2:3] + text[3:4] + text[3:4]
	}
	if len(text) != 7 {
		return 0, 0, 0
	}
	n, err := strconv.ParseUint(text[1:], 16, 32)
	if err != nil {
		return 0, 0, 0
	}
	return uint8(n >> 16), uint8(n >> 8), uint8(n)
}

// colourOf returns an image of one colour.
func colourOf(text string) image.Image {
	r, g, b := rgb(text)
	return image.NewUniform(color.RGBA{R: r, G: g, B: b, A: 0xff})
}

// stripes is the image of a hatched area, with scale pixels for one of the page.
type stripes struct{ scale float64 }

func (stripes) ColorModel() color.Model { return color.RGBAModel }

func (stripes) Bounds() image.Rectangle { return image.Rect(-1e9, -1e9, 1e9, 1e9) }

func (s stripes) At(x, y int) color.Color {
	if across := (float64(x+y) + 0.5) / math.Sqrt2 / s.scale; math.Mod(math.Mod(across, hatchSpacing)+hatchSpacing, hatchSpacing) >= hatchWide {
		return color.RGBA{}
	}
	r, g, b := rgb(drawing.HatchColour)
	return color.RGBA{R: r, G: g, B: b, A: 0xff}
}
