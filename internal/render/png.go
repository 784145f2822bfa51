package render

import (
	"image"
	"image/draw"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/vector"

	"github.com/tflarena/tflarena/internal/drawing"
)

// PNG writes a picture as PNG, with two pixels for each of the page if that is within maxPixels, for
// print and high-resolution screens.
func PNG(w io.Writer, p *drawing.Page) error {
	c := newCanvas(p)
	p.Each(c.mark)
	return png.Encode(w, c.img)
}

const maxPixels = 40e6

// A canvas is an image to draw on.
type canvas struct {
	img   *image.RGBA
	scale float64 // pixels of the image for one of the page
	faces faces
	ink   vector.Rasterizer
}

func newCanvas(p *drawing.Page) *canvas {
	scale := math.Min(2, math.Sqrt(maxPixels/math.Max(p.Width*p.Height, 1)))
	size := image.Rect(0, 0, max(int(p.Width*scale), 1), max(int(p.Height*scale), 1))
	c := &canvas{img: image.NewRGBA(size), scale: scale, faces: newFaces()}
	draw.Draw(c.img, size, image.White, image.Point{}, draw.Src)
	return c
}

func (c *canvas) mark(m drawing.Mark) {
	switch m := m.(type) {
	case drawing.Rect:
		at := corners(m)
		c.fillAs(m.Look, m.Fill, polygon(at))
		c.stroke(m.Look, append(at, at[0]))
	case drawing.Circle:
		c.fillAs(m.Look, "", disc(m))
		if m.Look.Stroke != "" {
			ring := append(disc(m), backwards(disc(drawing.Circle{X: m.X, Y: m.Y, R: max(m.R-m.Look.Width, 0)}))...)
			c.fill(ring, colourOf(m.Look.Stroke))
		}
	case drawing.Path:
		for _, part := range m.Parts {
			if m.Look.Fill != "" {
				c.fillAs(m.Look, "", polygon(part))
			}
			c.stroke(m.Look, part)
		}
	case drawing.Label:
		c.label(m)
	}
}

func corners(r drawing.Rect) []drawing.Point {
	return []drawing.Point{{X: r.X, Y: r.Y}, {X: r.X + r.W, Y: r.Y}, {X: r.X + r.W, Y: r.Y + r.H}, {X: r.X, Y: r.Y + r.H}}
}

// fillAs fills an outline with the colour of its look, or of the shape itself.
func (c *canvas) fillAs(l *drawing.Look, own string, o outline) {
	colour := l.Fill
	if colour == "" {
		colour = own
	}
	switch colour {
	case "":
	case drawing.Hatched:
		c.fill(o, stripes{c.scale})
	default:
		c.fill(o, colourOf(colour))
	}
}

// stroke draws a line through places with a look.
func (c *canvas) stroke(l *drawing.Look, points []drawing.Point) {
	if l.Stroke != "" {
		c.fill(stroked(points, l.Width, l.Dash), colourOf(l.Stroke))
	}
}

// fill fills the part of an outline that lies on the page.
func (c *canvas) fill(o outline, with image.Image) {
	box := o.bounds(c.scale).Intersect(c.img.Bounds())
	if box.Empty() {
		return
	}
	c.ink.Reset(box.Dx(), box.Dy())
	place := func(p drawing.Point) (x, y float32) {
		return float32(p.X*c.scale - float64(box.Min.X)), float32(p.Y*c.scale - float64(box.Min.Y))
	}
	for _, s := range o {
		x, y := place(s.at[0])
		switch s.kind {
		case move:
			c.ink.ClosePath()
			c.ink.MoveTo(x, y)
		case line:
			c.ink.LineTo(x, y)
		case curve:
			x1, y1 := place(s.at[1])
			c.ink.QuadTo(x, y, x1, y1)
		case cubic:
			x1, y1 := place(s.at[1])
			x2, y2 := place(s.at[2])
			c.ink.CubeTo(x, y, x1, y1, x2, y2)
		case closed:
			c.ink.ClosePath()
		}
	}
	c.ink.Draw(c.img, box, with, box.Min)
}
