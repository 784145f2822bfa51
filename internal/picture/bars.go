package picture

import (
	"fmt"
	"math"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/units"
)

// Bars are charts side by side, each with a bar for each of several alternatives.
type Bars struct {
	Title string
	// Below are lines in small print below the title.
	Below  []string
	Charts []Chart
}

// A Chart is bars of bytes, and a lower bound of all of them.
type Chart struct {
	Title string
	// Bound is in bytes, zero for none.
	Bound int64
	Bars  []Bar
}

// A Bar is a number of bytes, or words without one.
type Bar struct {
	Name    string
	Bytes   int64
	Problem string
	// Best reports that no other bar of the chart is shorter.
	Best bool
}

// The looks of bars.
var (
	barLook  = &drawing.Look{Class: "bar", Fill: "#9cc4ec", Hover: true}
	bestLook = &drawing.Look{Class: "bar best", Fill: "#4fae86", Hover: true}
)

// Sizes of a chart in pixels: space for the names of bars, and for the figures after them.
const (
	chartWidth, chartGap   = 560.0, 40.0
	namesWidth, figureRoom = 190.0, 140.0
	barHeight, barEvery    = 12.0, 16.0
	chartHead, chartFoot   = 34.0, 22.0
)

// Page returns the drawing: two charts per row, as high as the higher one.
func (b Bars) Page() *drawing.Page {
	const columns = 2
	top := 80 + lineHeight*float64(len(b.Below))
	var heights []float64
	for i, c := range b.Charts {
		h := chartHead + barEvery*float64(len(c.Bars)) + chartFoot
		if i%columns == 0 {
			heights = append(heights, h)
		} else {
			heights[len(heights)-1] = max(heights[len(heights)-1], h)
		}
	}
	high := top
	for _, h := range heights {
		high += h
	}
	p := newPaper(b.Title, 2*margin+columns*chartWidth+(columns-1)*chartGap, high+margin)
	p.below(b.Below...)
	p.keys(margin, top-16, []key{{fill: bestLook.Fill, words: "the best"}, {fill: barLook.Fill, words: "others"}, {stroke: boundLook, words: "lower bound"}})
	y := top
	for i, c := range b.Charts {
		p.chart(margin+float64(i%columns)*(chartWidth+chartGap), y, c)
		if i%columns == columns-1 {
			y += heights[i/columns]
		}
	}
	return p.Page
}

// chart draws a chart at a place.
func (p paper) chart(x, y float64, c Chart) {
	p.write(x, y+18, partFont.Fit(c.Title, chartWidth), partFont, drawing.Start)
	most := c.Bound
	for _, b := range c.Bars {
		most = max(most, b.Bytes)
	}
	first, room := x+namesWidth, chartWidth-namesWidth-figureRoom
	long := func(bytes int64) float64 { return room * float64(bytes) / math.Max(float64(most), 1) }
	top := y + chartHead
	for i, b := range c.Bars {
		p.bar(x, top+float64(i)*barEvery, first, long(b.Bytes), c.Bound, b)
	}
	if c.Bound > 0 {
		at := first + long(c.Bound)
		p.Line(at, top-3, at, top+float64(len(c.Bars))*barEvery, boundLook)
	}
}

// bar draws a bar with its name before it, and its excess over the bound after it.
func (p paper) bar(x, y, first, long float64, bound int64, b Bar) {
	base := y + barHeight - 2
	p.write(first-6, base, stepFont.Fit(b.Name, first-6-x), stepFont, drawing.End)
	if b.Problem != "" {
		p.write(first, base, stepFont.Fit(b.Problem, x+chartWidth-first), stepFont, drawing.Start)
		return
	}
	look := barLook
	if b.Best {
		look = bestLook
	}
	scale := units.CommonScale(b.Bytes)
	figure := scale.Format(b.Bytes, 2) + " " + scale.Unit
	words := fmt.Sprintf("%s\n%s", tables.Printable(b.Name), units.Bytes(b.Bytes))
	switch {
	case bound > 0 && b.Bytes == bound:
		figure += ", the bound"
	case bound > 0:
		figure += ", +" + units.Percent(b.Bytes-bound, bound)
		words += fmt.Sprintf("\n%s above the lower bound", units.Percent(b.Bytes-bound, bound))
	}
	p.Add(&drawing.Group{Tip: words, Marks: []drawing.Mark{drawing.Rect{X: first, Y: y, W: math.Max(long, 1), H: barHeight, Look: look}}})
	at := first + long + 5
	p.write(at, base, stepFont.Fit(figure, x+chartWidth+margin-at), stepFont, drawing.Start)
}
