package picture

import (
	"math"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/lifetime"
)

// A Model is a plan of a model to be drawn: what lies where and when, with colours that say what a
// tensor is there for, and below that how many bytes are alive at each operator.
type Model struct {
	Title string
	// Below are lines in small print below the title.
	Below []string
	// Records, Offsets, in bytes, and Roles are parallel. Roles are keys of the legend.
	Records []lifetime.Record
	Offsets []int64
	Roles   []string
	// Steps are the names of what happens at positions, from position 0 on.
	Steps []string
	// Total, LowerBound and Capacity are in bytes. The last two are zero where there is none.
	Total, LowerBound, Capacity int64
	// Shares says that tensors share memory on purpose.
	Shares bool
}

// legend says what colours mean, in the order in which a picture has them.
var legend = []struct{ role, colour, words string }{
	{"input", "#8fd0b0", "model input"},
	{"output", "#4fae86", "model output"},
	{"activation", "#9cc4ec", "activation"},
	{"scratch", "#f3c27a", "scratch of kernels"},
	{"variable", "#cdb2e6", "variable"},
	{"constant", "#c4c8cc", "constant"},
}

// shades are what activations that follow each other have for colours.
var shades = []string{"#9cc4ec", "#b5d3f2", "#87b6e4"}

// The measures of a picture of a model, in pixels: its rooms from the top downwards. Its width
// follows from the number of operators.
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

// wrapped returns the model with lines below its title that have room on the page of a span.
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

// A span is what a picture of a model shows: positions, both inclusive, and bytes.
type span struct {
	base, last int
	most       float64
}

func (m Model) span() span {
	const above = 1.06 // room for words above the highest line
	s := span{last: max(len(m.Steps)-1, 0), most: float64(max(m.Total, m.Capacity, m.LowerBound, 1)) * above}
	for _, r := range m.Records {
		s.base, s.last = min(s.base, r.First), max(s.last, r.Last)
	}
	return s
}

// with returns the span that covers another one as well.
func (s span) with(t span) span {
	return span{base: min(s.base, t.base), last: max(s.last, t.last), most: max(s.most, t.most)}
}

func (s span) positions() float64 { return float64(s.last-s.base) + 1 }

// width returns how wide a page is for a span.
func (s span) width() float64 {
	return pageWidth(s.positions())
}

// pageWidth returns how wide a page is that shows so many positions.
func pageWidth(positions float64) float64 {
	return math.Round(min(max(left+right+positions*perOperator, leastWidth), mostWidth))
}

// A modelDrawing is a model on its way to the page. Position p is the strip from p to p+1.
type modelDrawing struct {
	paper
	span
	m Model
	// The map lies between top and bottom, and the curve ends at foot.
	top, bottom, foot float64
	perPosition       float64 // pixels
	// largest are the rectangles that have the labels, and labelled is where labels are.
	largest, labelled []rectangle
}

func (d *modelDrawing) x(position int) float64 { return left + float64(position-d.base)*d.perPosition }

func (d *modelDrawing) y(address int64) float64 {
	return d.bottom - (d.bottom-d.top)*float64(address)/d.most
}
