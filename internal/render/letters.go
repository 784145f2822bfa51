package render

import (
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"github.com/tflarena/tflarena/internal/drawing"
)

// missing replaces a character that the fonts lack.
const missing = '□'

// A face is the letters of a font file. It is for a single goroutine.
type face struct {
	font *sfnt.Font
	buf  sfnt.Buffer
	em   fixed.Int26_6 // the size at which a font unit is a unit of package sfnt
}

// faces are the fonts of pictures.
type faces struct{ regular, bold *face }

func newFaces() faces { return faces{newFace(goregular.TTF), newFace(gobold.TTF)} }

func newFace(data []byte) *face {
	f, err := sfnt.Parse(data)
	if err != nil {
		panic(err) // the data is part of the program
	}
	return &face{font: f, em: fixed.I(int(f.UnitsPerEm()))}
}

func (f faces) of(font *drawing.Font) *face {
	if font.Bold {
		return f.bold
	}
	return f.regular
}

// glyph returns the glyph index of a character.
func (f *face) glyph(r rune) (g sfnt.GlyphIndex, ok bool) {
	g, err := f.font.GlyphIndex(&f.buf, r)
	return g, err == nil && g != 0
}

// shown returns a text with [missing] for each character that the font lacks.
func (f *face) shown(text string) string {
	list := []rune(text)
	for i, r := range list {
		if _, ok := f.glyph(r); !ok {
			list[i] = missing
		}
	}
	return string(list)
}

// advance returns the advance width of a glyph, relative to the size.
func (f *face) advance(g sfnt.GlyphIndex) float64 {
	a, err := f.font.GlyphAdvance(&f.buf, g, f.em, font.HintingNone)
	if err != nil {
		return 0
	}
	return float64(a) / float64(f.em)
}

// length returns the length of a text, relative to the size.
func (f *face) length(text string) (long float64) {
	for _, r := range text {
		g, _ := f.glyph(r)
		long += f.advance(g)
	}
	return long
}

// begin returns the distance in pixels from the place of a label to the beginning of its text.
func (f *face) begin(l drawing.Label) float64 {
	switch l.Anchor {
	case drawing.Middle:
		return -f.length(l.Text) * l.Font.Size / 2
	case drawing.End:
		return -f.length(l.Text) * l.Font.Size
	}
	return 0
}

var kinds = map[sfnt.SegmentOp]stepKind{
	sfnt.SegmentOpMoveTo: move, sfnt.SegmentOpLineTo: line, sfnt.SegmentOpQuadTo: curve, sfnt.SegmentOpCubeTo: cubic,
}

// letters returns the outlines of a label; the font must have all its characters.
func (f *face) letters(l drawing.Label) (o outline) {
	pen, size := f.begin(l), l.Font.Size
	sin, cos := math.Sincos(l.Turn * math.Pi / 180)
	place := func(p fixed.Point26_6) drawing.Point {
		x, y := pen+float64(p.X)/float64(f.em)*size, float64(p.Y)/float64(f.em)*size
		return drawing.Point{X: l.X + x*cos + y*sin, Y: l.Y - x*sin + y*cos}
	}
	for _, r := range l.Text {
		g, _ := f.glyph(r)
		segments, err := f.font.LoadGlyph(&f.buf, g, f.em, nil)
		if err != nil {
			continue
		}
		for _, s := range segments {
			one := step{kind: kinds[s.Op]}
			for i := range one.kind.places() {
				one.at[i] = place(s.Args[i])
			}
			o = append(o, one)
		}
		pen += f.advance(g) * size
	}
	return o
}

// label draws a text over its halo.
func (c *canvas) label(l drawing.Label) {
	f := c.faces.of(l.Font)
	l.Text = f.shown(l.Text)
	if l.Halo != "" {
		const around = 8
		edge, half := l, l.HaloWidth/2
		for k := range around {
			sin, cos := math.Sincos(float64(k) * 2 * math.Pi / around)
			edge.X, edge.Y = l.X+cos*half, l.Y+sin*half
			c.fill(f.letters(edge), colourOf(l.Halo))
		}
	}
	c.fill(f.letters(l), colourOf(l.Font.Colour))
}
