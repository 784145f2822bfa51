package drawing

import "math"

// A Font is a sans-serif font.
type Font struct {
	// Class is the class in SVG, different for each font of a page.
	Class string
	Size  float64
	Bold  bool
	// Colour is the colour of the letters.
	Colour string
	// Through makes a text transparent for the pointer.
	Through bool
}

// An Anchor is the part of a text that is at its place.
type Anchor string

// Parts of a text.
const (
	Start  Anchor = "start"
	Middle Anchor = "middle"
	End    Anchor = "end"
)

// A Label is a text in one line.
type Label struct {
	// X and Y are the place of the anchor on the baseline.
	X, Y float64
	Text string
	Font *Font
	// Anchor is Start if empty.
	Anchor Anchor
	// Turn is the ascent of the text from left to right in degrees.
	Turn float64
	// Halo is the colour of an outline around the letters, of width HaloWidth.
	Halo      string
	HaloWidth float64
}

// Span returns the bounding box of a label whose text is long pixels long, with letters as high as the
// font, including rotation.
func (l Label) Span(long float64) (x1, y1, x2, y2 float64) {
	const above, below = 0.8, 0.25
	begin := 0.0
	switch l.Anchor {
	case Middle:
		begin = -long / 2
	case End:
		begin = -long
	}
	sin, cos := math.Sincos(l.Turn * math.Pi / 180)
	x1, y1 = math.Inf(1), math.Inf(1)
	x2, y2 = math.Inf(-1), math.Inf(-1)
	for _, x := range []float64{begin, begin + long} {
		for _, y := range []float64{-above * l.Font.Size, below * l.Font.Size} {
			px, py := l.X+x*cos+y*sin, l.Y-x*sin+y*cos
			x1, y1, x2, y2 = min(x1, px), min(y1, py), max(x2, px), max(y2, py)
		}
	}
	return x1, y1, x2, y2
}
