package picture

import (
	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/memorymap"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// A loadCurve draws the live bytes over time, with the peak marked.
type loadCurve struct {
	paper
	sections []lifetime.Section
	// total and bound are in bytes.
	total, bound int64
	foot         float64 // the height of zero bytes
	// across returns the beginning and the end of positions, both inclusive, on the page.
	across func(first, last int) (from, to float64)
	// at returns the name of a position.
	at func(position int) string
}

// draw draws the curve.
func (c *loadCurve) draw() {
	var peak lifetime.Section
	for i, s := range c.sections {
		if i == 0 || s.Breadth > peak.Breadth {
			peak = s
		}
	}
	most := float64(max(peak.Breadth, c.bound, 1)) * 1.1
	y := func(bytes int64) float64 { return c.foot - curveHeight*float64(bytes)/most }
	c.byteGrid(most, 3, c.foot, curveHeight)
	if len(c.sections) == 0 {
		return
	}
	c.area(y)
	if c.bound > 0 {
		c.Line(left, y(c.bound), c.Width-right, y(c.bound), boundLook)
	}
	c.peak(peak, y(peak.Breadth))
}

// area draws the live bytes as one area up to a gap: separate areas would show lines between them.
// Sections that are too narrow to distinguish become one, as high as the highest of them.
func (c *loadCurve) area(y func(bytes int64) float64) {
	const narrow = 0.5
	area := drawing.Path{Look: loadLook}
	for i := 0; i < len(c.sections); i++ {
		s := c.sections[i]
		x1, x2 := c.across(s.First, s.Last)
		if i == 0 || c.sections[i-1].Last+1 < s.First {
			area.Parts = append(area.Parts, []drawing.Point{{X: x1, Y: c.foot}})
		}
		for x2-x1 < narrow && i+1 < len(c.sections) && c.sections[i+1].First == s.Last+1 {
			i++
			next := c.sections[i]
			s.Last, s.Breadth = next.Last, max(s.Breadth, next.Breadth)
			_, x2 = c.across(s.First, s.Last)
		}
		high, part := y(s.Breadth), &area.Parts[len(area.Parts)-1]
		*part = append(*part, drawing.Point{X: x1, Y: high}, drawing.Point{X: x2, Y: high})
		if i == len(c.sections)-1 || s.Last+1 < c.sections[i+1].First {
			*part = append(*part, drawing.Point{X: x2, Y: c.foot})
		}
	}
	c.Add(area)
}

// peak marks the positions of the most live bytes.
func (c *loadCurve) peak(s lifetime.Section, top float64) {
	first, last := c.across(s.First, s.Last)
	c.Add(drawing.Rect{X: first, Y: top, W: max(last-first, 2), H: c.foot - top, Look: peakLook})
	middle := (first + last) / 2
	c.Add(drawing.Path{Look: peakLook, Parts: [][]drawing.Point{{{X: middle - 5, Y: top - 9}, {X: middle + 5, Y: top - 9}, {X: middle, Y: top - 1}}}})
	text := "peak " + units.Bytes(s.Breadth) + " at " + c.at(s.First)
	if s.Breadth > c.total {
		text += " (shared bytes count for each tensor)"
	}
	x, anchor, room := middle+9, drawing.Start, c.Width-right-middle-9
	if width := plainFont.Long(text); width > room && middle-left > room {
		x, anchor, room = middle-9, drawing.End, middle-9-left
	}
	c.haloed(x, top-6, text, anchor, room)
}

// load draws the curve below the map.
func (d *mapDrawing) load() {
	c := loadCurve{
		paper: d.paper, sections: d.m.Sections(), total: d.m.Total, bound: d.m.LowerBound, foot: d.foot, at: d.m.StepName,
		across: func(first, last int) (from, to float64) {
			return d.x(d.Distance(first)), d.x(d.Distance(last) + 1)
		},
	}
	if d.m.Unit == memorymap.Events {
		c.at = func(p int) string { return "event " + d.m.number(p) }
	}
	c.draw()
}
