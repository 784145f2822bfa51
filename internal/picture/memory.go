package picture

import (
	"math"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/memorymap"
	"github.com/tflarena/tflarena/internal/tables"
)

// A Memory is a memory map with a title: positions on the x axis, addresses on the y axis, and below
// that the live bytes at each position.
type Memory struct {
	Title string
	// Below are lines in small print below the title.
	Below []string
	memorymap.Map
}

// Sizes of a picture of memory in pixels, from the top downwards. Its width depends on the number of
// positions.
const (
	mapHeight               = 460.0
	between, curveHeight    = 30.0, 84.0
	namesHeight, numberRoom = 112.0, 50.0 // of the x axis, with names and with numbers
	leastWidth, mostWidth   = 1000.0, 2400.0
	perPosition             = 12.0
	lineHeight              = 16.0 // of small print
)

// Page returns the drawing.
func (m Memory) Page() *drawing.Page {
	s := scaleOf(m)
	m = m.wrapped(s)
	top := 100 + lineHeight*float64(len(m.Below))
	p := newPaper(m.Title, s.width(), top+mapHeight+between+curveHeight+m.axisHeight())
	p.below(append([]string{summary(m.Total, m.LowerBound)}, m.Below...)...)
	p.keys(margin, top-20, legendOf(m))
	m.draw(p, s, top, mapHeight)
	return p.Page
}

// wrapped returns the map with lines below its title that fit the page.
func (m Memory) wrapped(s scale) Memory {
	var lines []string
	for _, text := range m.Below {
		lines = append(lines, mutedFont.Wrap(text, s.width()-2*margin)...)
	}
	m.Below = lines
	return m
}

func (m Memory) axisHeight() float64 {
	if len(m.Steps) > 0 {
		return namesHeight
	}
	return numberRoom
}

// A Pair is two maps at the same scale of bytes. Each is as wide as the page, because positions of two
// models need not correspond: one may be tiled.
type Pair struct {
	Title         string
	Before, After Memory
}

// partFont is the font of the titles of both.
var partFont = &drawing.Font{Class: "part", Size: 14, Bold: true, Colour: ink}

// Page returns the drawing, one map above the other.
func (p Pair) Page() *drawing.Page {
	const pairHeight, head, legendAt = 320.0, 24.0, 50.0
	s := scaleOf(p.Before, p.After)
	p.Before, p.After = p.Before.wrapped(s), p.After.wrapped(s)
	heading := func(m Memory) float64 { return head + lineHeight*float64(1+len(m.Below)) + 12 }
	body := func(m Memory) float64 { return 12 + pairHeight + between + curveHeight + m.axisHeight() }
	page := newPaper(p.Title, s.width(), legendAt+heading(p.Before)+heading(p.After)+body(p.Before)+body(p.After))
	page.keys(margin, legendAt, legendOf(p.Before, p.After))
	y := legendAt
	for _, m := range []Memory{p.Before, p.After} {
		page.write(margin, y+head+8, partFont.Fit(m.Title, page.Width-2*margin), partFont, drawing.Start)
		page.lines(y+head+8+18, append([]string{summary(m.Total, m.LowerBound)}, m.Below...))
		m.draw(page, scale{m.Span(), s.most}, y+heading(m)+12, pairHeight)
		y += heading(m) + body(m)
	}
	return page.Page
}

// A scale is the range of a picture: positions, and bytes at the top.
type scale struct {
	memorymap.Span
	most float64
}

// scaleOf returns the scale that shows all of some maps.
func scaleOf(maps ...Memory) scale {
	const above = 1.06 // space for a label above the highest line
	s := scale{Span: maps[0].Span()}
	for _, m := range maps {
		s.Span = s.With(m.Span())
		s.most = max(s.most, float64(max(m.Total, m.Capacity, m.LowerBound, 1))*above)
	}
	return s
}

// width returns the width of a page.
func (s scale) width() float64 {
	return math.Round(min(max(left+right+s.Positions()*perPosition, leastWidth), mostWidth))
}

// legendOf returns the legend of maps: the roles, or the requesters of the blocks of a trace.
func legendOf(maps ...Memory) (list []key) {
	if m := maps[0]; m.Unit == memorymap.Events {
		for i, name := range m.Requesters() {
			if i == len(memorymap.Requester.Light) {
				break
			}
			words := tables.Printable(name)
			if name == "" {
				words = "(no stack recorded)"
			}
			list = append(list, key{fill: memorymap.Requester.Light[i], words: words})
		}
		return list
	}
	var all []memorymap.Map
	for _, m := range maps {
		all = append(all, m.Map)
	}
	for _, s := range memorymap.Legend(all...) {
		fill := s.Light[0]
		if s.Role == memorymap.Shared.Role {
			fill = drawing.Hatched
		}
		list = append(list, key{fill: fill, words: s.Words})
	}
	return list
}

// draw draws a map below a place of a page, with the addresses at a height.
func (m Memory) draw(p paper, s scale, top, height float64) {
	d := newMapDrawing(p, s, m, top, height)
	d.foot = d.bottom + between + curveHeight
	d.body()
	d.load()
	if len(m.Steps) > 0 {
		d.steps()
	} else {
		d.numbers()
	}
}

// A mapDrawing is the state of drawing a map. Position p is the strip from p to p+1.
type mapDrawing struct {
	paper
	scale
	m Memory
	// The map lies between top and bottom, and the curve ends at foot.
	top, bottom, foot float64
	across            float64        // pixels of a position
	requesters        map[string]int // the colours of names
	labelled          []rectangle    // the places of labels
}

func newMapDrawing(p paper, s scale, m Memory, top, height float64) *mapDrawing {
	d := &mapDrawing{paper: p, scale: s, m: m, top: top, bottom: top + height, across: (p.Width - left - right) / s.Positions()}
	if m.Unit == memorymap.Events {
		d.requesters = map[string]int{}
		for i, name := range m.Requesters() {
			d.requesters[name] = i
		}
	}
	return d
}

// x and y return the places of a distance from the first position and of an address.
func (d *mapDrawing) x(distance float64) float64 { return left + distance*d.across }

func (d *mapDrawing) y(address int64) float64 {
	return d.bottom - (d.bottom-d.top)*float64(address)/d.most
}

// body draws everything between the axes.
func (d *mapDrawing) body() {
	d.byteGrid(d.most, 8, d.bottom, d.bottom-d.top)
	largest := make([]rectangle, len(d.m.Records))
	for i := range d.m.Records {
		largest[i] = d.record(i)
	}
	d.overlaps()
	for i := range d.m.Records {
		d.label(i, largest[i])
	}
	d.levels()
}
