package picture

import (
	"math"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/lifetime"
)

// A Model is a plan of a model to draw: the places of tensors over time, with colours for their roles,
// and below that the live bytes at each operator.
type Model struct {
	Title string
	// Below are lines in small print below the title.
	Below []string
	// Records, Offsets, in bytes, and Roles are parallel. Roles are keys of the legend.
	Records []lifetime.Record
	Offsets []int64
	Roles   []string
	// Steps are the names of positions, from position 0 on.
	Steps []string
	// Total, LowerBound and Capacity are in bytes. The last two are zero if unknown.
	Total, LowerBound, Capacity int64
	// Shares reports that tensors share memory on purpose.
	Shares bool
}

// legend has the meanings of colours in display order.
var legend = []struct{ role, colour, words string }{
	{"input", "#8fd0b0", "model input"},
	{"output", "#4fae86", "model output"},
	{"activation", "#9cc4ec", "activation"},
	{"scratch", "#f3c27a", "scratch of kernels"},
	{"variable", "#cdb2e6", "variable"},
	{"constant", "#c4c8cc", "constant"},
}

// shades are the colours of successive activations.
var shades = []string{"#9cc4ec", "#b5d3f2", "#87b6e4"}

// Sizes of a picture of a model in pixels, from the top downwards. Its width depends on the number of
// operators.
const (
	mapHeight             = 460.0
	between, curveHeight  = 30.0, 84.0
	namesHeight           = 112.0
	leastWidth, mostWidth = 1000.0, 2400.0
	perOperator           = 12.0
	lineHeight            = 16.0 // of small print
)

// Page returns the drawing.
func (m Model) Page() *drawing.Page {
	s := m.span()
	m = m.wrapped(s)
	top := 100 + lineHeight*float64(len(m.Below))
	p := newPaper(m.Title, s.width(), top+mapHeight+between+curveHeight+namesHeight)
	p.below(append([]string{summary("total", m.Total, m.LowerBound)}, m.Below...)...)
	p.keys(margin, top-20, legendOf(m))
	m.draw(p, s, top, mapHeight)
	return p.Page
}

// wrapped returns the model with lines below its title that fit the page.
func (m Model) wrapped(s span) Model {
	var lines []string
	for _, text := range m.Below {
		lines = append(lines, mutedFont.Wrap(text, s.width()-2*margin)...)
	}
	m.Below = lines
	return m
}

// draw draws a model below a place of a page, with a map of a height.
func (m Model) draw(p paper, s span, top, height float64) {
	d := &modelDrawing{paper: p, span: s, m: m, top: top, bottom: top + height, foot: top + height + between + curveHeight}
	d.largest = make([]rectangle, len(m.Records))
	d.perPosition = (p.Width - left - right) / s.positions()
	d.byteGrid(d.most, 8, d.bottom, height)
	for i := range m.Records {
		d.tensor(i)
	}
	d.overlaps()
	for i := range m.Records {
		d.label(i)
	}
	d.levels()
	d.load()
	d.steps()
}

// A span is the range of a picture of a model: positions, both inclusive, and bytes.
type span struct {
	base, last int
	most       float64
}

func (m Model) span() span {
	const above = 1.06 // space for a label above the highest line
	s := span{last: max(len(m.Steps)-1, 0), most: float64(max(m.Total, m.Capacity, m.LowerBound, 1)) * above}
	for _, r := range m.Records {
		s.base, s.last = min(s.base, r.First), max(s.last, r.Last)
	}
	return s
}

// with returns the union of two spans.
func (s span) with(t span) span {
	return span{base: min(s.base, t.base), last: max(s.last, t.last), most: max(s.most, t.most)}
}

func (s span) positions() float64 { return float64(s.last-s.base) + 1 }

// width returns the width of a page for a span.
func (s span) width() float64 {
	return pageWidth(s.positions())
}

// pageWidth returns the width of a page for a number of positions.
func pageWidth(positions float64) float64 {
	return math.Round(min(max(left+right+positions*perOperator, leastWidth), mostWidth))
}

// A modelDrawing is the state of drawing a model. Position p is the strip from p to p+1.
type modelDrawing struct {
	paper
	span
	m Model
	// The map lies between top and bottom, and the curve ends at foot.
	top, bottom, foot float64
	perPosition       float64 // pixels
	// largest are the rectangles with labels, and labelled the places of labels.
	largest, labelled []rectangle
}

func (d *modelDrawing) x(position int) float64 { return left + float64(position-d.base)*d.perPosition }

func (d *modelDrawing) y(address int64) float64 {
	return d.bottom - (d.bottom-d.top)*float64(address)/d.most
}
