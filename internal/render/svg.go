package render

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	svg "github.com/ajstarks/svgo/float"

	"github.com/tflarena/tflarena/internal/drawing"
)

// SVG writes a picture as SVG. The looks and fonts are classes of a style sheet, and the tooltip of a
// group is its title.
func SVG(w io.Writer, p *drawing.Page) error {
	var b bytes.Buffer
	s := svgWriter{svg.New(&b)}
	s.Startview(p.Width, p.Height, 0, 0, p.Width, p.Height)
	s.Style("text/css", styleSheet(p))
	s.Title(p.Title)
	if hatched(p) {
		s.pattern()
	}
	s.SVG.Rect(0, 0, p.Width, p.Height, `fill="#fff"`)
	s.marks(p.Marks)
	s.End()
	_, err := w.Write(b.Bytes())
	return err
}

type svgWriter struct{ *svg.SVG }

func (s svgWriter) marks(list []drawing.Mark) {
	for _, m := range list {
		switch m := m.(type) {
		case drawing.Rect:
			s.SVG.Rect(m.X, m.Y, m.W, m.H, attributes(m.Look, m.Fill)...)
		case drawing.Circle:
			s.SVG.Circle(m.X, m.Y, m.R, attributes(m.Look, "")...)
		case drawing.Path:
			s.path(m)
		case drawing.Label:
			s.label(m)
		case *drawing.Group:
			s.SVG.Group()
			s.Title(m.Tip)
			s.marks(m.Marks)
			s.Gend()
		}
	}
}

// attributes returns the class of a shape, and its own fill.
func attributes(l *drawing.Look, fill string) []string {
	list := []string{`class="` + l.Class + `"`}
	if fill == drawing.Hatched {
		return append(list, `fill="url(#hatched)"`, `pointer-events="none"`)
	}
	if fill != "" {
		list = append(list, `fill="`+fill+`"`)
	}
	return list
}

func (s svgWriter) path(m drawing.Path) {
	if len(m.Parts) == 1 && len(m.Parts[0]) == 2 {
		from, to := m.Parts[0][0], m.Parts[0][1]
		s.Line(from.X, from.Y, to.X, to.Y, attributes(m.Look, "")...)
		return
	}
	var d strings.Builder
	for _, part := range m.Parts {
		for i, at := range part {
			command := "L"
			if i == 0 {
				command = "M"
			}
			fmt.Fprintf(&d, "%s%.2f %.2f", command, at.X, at.Y)
		}
		if m.Look.Fill != "" {
			d.WriteString("Z")
		}
	}
	list := attributes(m.Look, "")
	if m.Look.Fill == "" {
		list = append(list, `fill="none"`)
	}
	s.SVG.Path(d.String(), list...)
}

func (s svgWriter) label(m drawing.Label) {
	list := []string{}
	if m.Font.Class != "" {
		list = append(list, `class="`+m.Font.Class+`"`)
	}
	if m.Anchor != "" && m.Anchor != drawing.Start {
		list = append(list, fmt.Sprintf(`text-anchor="%s"`, m.Anchor))
	}
	if m.Halo != "" {
		list = append(list, fmt.Sprintf(`stroke="%s" stroke-width="%g" paint-order="stroke"`, m.Halo, m.HaloWidth))
	}
	if m.Turn == 0 {
		s.Text(m.X, m.Y, m.Text, list...)
		return
	}
	s.Gtransform(fmt.Sprintf("translate(%.2f,%.2f) rotate(%g)", m.X, m.Y, -m.Turn))
	s.Text(0, 0, m.Text, list...)
	s.Gend()
}

// hatched reports whether a page has hatched shapes.
func hatched(p *drawing.Page) (found bool) {
	p.Each(func(m drawing.Mark) {
		r, ok := m.(drawing.Rect)
		found = found || ok && r.Fill == drawing.Hatched
	})
	return found
}

// pattern defines the hatching.
func (s svgWriter) pattern() {
	s.Def()
	fmt.Fprintf(s.Writer, `<pattern id="hatched" width="%d" height="%[1]d" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="%d" height="%[1]d" fill="%[3]s"/></pattern>`+"\n",
		hatchSpacing, hatchWide, drawing.HatchColour)
	s.DefEnd()
}

// hatchSpacing is the distance of the stripes of a hatched area, and hatchWide their width.
const hatchSpacing, hatchWide = 7, 2
