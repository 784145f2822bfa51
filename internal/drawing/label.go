package drawing

import "math"

// A Font is the letters of a text, without serifs.
type Font struct {
	// Class is what SVG calls texts in this font. The fonts of a page have different ones.
	Class string
	Size  float64
	Bold  bool
	// Colour is that of the letters.
	Colour string
	// Through says that a reader who points at a text reaches what lies below it.
	Through bool
}

// An Anchor says which end of a text is at its place.
type Anchor string

// The ends of a text.
const (
	Start  Anchor = "start"
	Middle Anchor = "middle"
	End    Anchor = "end"
)

// A Label is a text in one line.
type Label struct {
	// X and Y are the place of its anchor on the line that letters stand on.
	X, Y float64
	Text string
	Font *Font
	// Anchor is Start where it is "".
	Anchor Anchor
	// Turn is by how many degrees the text goes up from left to right.
	Turn float64
	// Halo is the colour of an edge around the letters, of the width HaloWidth.
	Halo      string
	HaloWidth float64
}

// Span returns the box around a label whose text is long pixels long: what lies in the box of
// letters as high as the font, whichever way the label is turned.
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
