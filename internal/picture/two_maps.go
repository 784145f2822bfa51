package picture

import "github.com/tflarena/tflarena/internal/drawing"

// A Pair is two plans at the same scale.
type Pair struct {
	Title         string
	Before, After Model
}

// partFont is the font of the titles of both.
var partFont = &drawing.Font{Class: "part", Size: 14, Bold: true, Colour: ink}

// Page returns the drawing, one plan above the other.
func (p Pair) Page() *drawing.Page {
	const mapHeight, head, legendAt = 320.0, 24.0, 50.0
	s := p.Before.span().with(p.After.span())
	p.Before, p.After = p.Before.wrapped(s), p.After.wrapped(s)
	heading := func(m Model) float64 { return head + lineHeight*float64(1+len(m.Below)) + 12 }
	body := mapHeight + between + curveHeight + namesHeight
	page := newPaper(p.Title, s.width(), legendAt+heading(p.Before)+heading(p.After)+2*(12+body))
	page.keys(margin, legendAt, legendOf(p.Before, p.After))
	y := legendAt
	for _, m := range []Model{p.Before, p.After} {
		page.write(margin, y+head+8, partFont.Fit(m.Title, page.Width-2*margin), partFont, drawing.Start)
		page.lines(y+head+8+18, append([]string{summary("total", m.Total, m.LowerBound)}, m.Below...))
		y += heading(m) + 12
		m.draw(page, s, y, mapHeight)
		y += body
	}
	return page.Page
}
