package render

import (
	"io"
	"math"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/tflarena/tflarena/internal/drawing"
)

// PDF writes a picture as PDF of one page, with a point for each pixel. Texts stay searchable. Its date
// is constant, since the format requires one.
func PDF(w io.Writer, p *drawing.Page) error {
	d := pdfWriter{fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: p.Width, Ht: p.Height}}), newFaces()}
	date := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	d.SetCreationDate(date)
	d.SetModificationDate(date)
	d.SetCatalogSort(true)
	d.SetProducer("tflarena", false)
	d.SetTitle(d.faces.regular.shown(p.Title), true) // which supports no characters above U+FFFF
	d.SetMargins(0, 0, 0)
	d.SetAutoPageBreak(false, 0)
	d.AddUTF8FontFromBytes(pdfFont, "", goregular.TTF)
	d.AddUTF8FontFromBytes(pdfFont, "B", gobold.TTF)
	d.AddPage()
	d.SetLineJoinStyle("round")
	p.Each(d.mark)
	return d.Output(w)
}

const pdfFont = "go"

type pdfWriter struct {
	*fpdf.Fpdf
	faces faces
}

func (d pdfWriter) mark(m drawing.Mark) {
	switch m := m.(type) {
	case drawing.Rect:
		if m.Fill == drawing.Hatched {
			d.hatch(m)
		} else if style := d.setLook(m.Look, m.Fill); style != "" {
			d.Rect(m.X, m.Y, m.W, m.H, style)
		}
	case drawing.Circle:
		if style := d.setLook(m.Look, ""); style != "" {
			d.Circle(m.X, m.Y, m.R, style)
		}
	case drawing.Path:
		d.path(m)
	case drawing.Label:
		d.label(m)
	}
}

// setLook sets the colours of a look, and returns the drawing style: "F" filled, "D" as a line, or both.
func (d pdfWriter) setLook(l *drawing.Look, own string) (style string) {
	if l.Fill != "" {
		own = l.Fill
	}
	if own != "" {
		r, g, b := rgb(own)
		d.SetFillColor(int(r), int(g), int(b))
		style = "F"
	}
	if l.Stroke != "" {
		d.pen(l.Stroke, l.Width)
		d.SetDashPattern(append([]float64{}, l.Dash...), 0)
		style += "D"
	}
	return style
}

// pen sets the colour and the width of lines.
func (d pdfWriter) pen(colour string, width float64) {
	r, g, b := rgb(colour)
	d.SetDrawColor(int(r), int(g), int(b))
	d.SetLineWidth(width)
}

func (d pdfWriter) path(m drawing.Path) {
	style := d.setLook(m.Look, "")
	if style == "" {
		return
	}
	drawn := false
	for _, part := range m.Parts {
		for i, at := range part {
			if drawn = true; i == 0 {
				d.MoveTo(at.X, at.Y)
			} else {
				d.LineTo(at.X, at.Y)
			}
		}
		if m.Look.Fill != "" && len(part) > 0 {
			d.ClosePath()
		}
	}
	if drawn {
		d.DrawPath(style)
	}
}

// hatch draws stripes.
func (d pdfWriter) hatch(m drawing.Rect) {
	d.ClipRect(m.X, m.Y, m.W, m.H, false)
	d.pen(drawing.HatchColour, hatchWide)
	d.SetDashPattern([]float64{}, 0)
	// A stripe is a line of constant x + y.
	first := math.Floor((m.X + m.Y) / math.Sqrt2 / hatchSpacing)
	for k := first; ; k++ {
		sum := (k*hatchSpacing + hatchWide/2) * math.Sqrt2
		if sum-hatchWide > m.X+m.W+m.Y+m.H {
			break
		}
		d.Line(sum-m.Y+hatchWide, m.Y-hatchWide, sum-m.Y-m.H-hatchWide, m.Y+m.H+hatchWide)
	}
	d.ClipEnd()
}

func (d pdfWriter) label(m drawing.Label) {
	style := ""
	if m.Font.Bold {
		style = "B"
	}
	f := d.faces.of(m.Font)
	m.Text = f.shown(m.Text)
	d.SetFont(pdfFont, style, m.Font.Size)
	if m.Turn != 0 {
		d.TransformBegin()
		d.TransformRotate(m.Turn, m.X, m.Y)
		defer d.TransformEnd()
	}
	x := m.X + f.begin(m)
	if m.Halo != "" {
		const stroked, filled = 1, 0
		d.pen(m.Halo, m.HaloWidth)
		d.SetDashPattern([]float64{}, 0)
		d.SetTextRenderingMode(stroked)
		d.Text(x, m.Y, m.Text)
		d.SetTextRenderingMode(filled)
	}
	r, g, b := rgb(m.Font.Colour)
	d.SetTextColor(int(r), int(g), int(b))
	d.Text(x, m.Y, m.Text)
}
